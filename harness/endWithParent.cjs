// Preloaded into n8n by tests: it ends n8n when nobody reads its output anymore. Without it, an n8n whose test run was killed
// tries forever to print that it can't print.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => process.exit(1));
