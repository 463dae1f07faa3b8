// A worker runs one test file after the other, so that n8n's engine, which takes seconds to load, is loaded once. The project's
// own modules are loaded again for each file, so that none sees what another one has left in a module.
vi.resetModules();
