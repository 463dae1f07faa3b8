import { vi } from 'vitest';

// A worker runs one test file after the other, so that n8n's engine, which takes seconds to load, is loaded once. What is
// the project's own is loaded anew for each file: none sees what another one has left in a module.
vi.resetModules();
