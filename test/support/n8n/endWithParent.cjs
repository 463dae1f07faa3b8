// Preloaded into n8n by tests: it ends where nobody reads any more what it prints. Without that, an n8n whose test run was
// killed tries to print that it can't print, for ever.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => process.exit(1));
