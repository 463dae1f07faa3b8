// Preloaded into n8n: at SIGUSR2 it collects garbage and prints a line `STATE {…}` with the bytes that are alive in the
// heap, and how many entries there are in all maps and sets that this package's modules have made and that still live.
const Module = require('node:module');
const { setFlagsFromString } = require('node:v8');
const { runInNewContext } = require('node:vm');

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc');

const made = new Set();

function watched(Collection) {
	return class extends Collection {
		constructor(...given) {
			super(...given);
			made.add(new WeakRef(this));
		}
	};
}

globalThis.watchedCollections = { Map: watched(Map), Set: watched(Set) };

const { _compile: compile } = Module.prototype;
Module.prototype._compile = function (content, filename, ...more) {
	const isOurs = filename.includes('/dist/nodes/LegalAi/');
	const source = isOurs ? `const { Map, Set } = globalThis.watchedCollections; ${content}` : content;
	return compile.call(this, source, filename, ...more);
};

process.on('SIGUSR2', () => {
	collectGarbage();
	let entries = 0;
	for (const reference of made) {
		const collection = reference.deref();
		if (collection === undefined) made.delete(reference);
		else entries += collection.size;
	}
	const { heapUsed, rss } = process.memoryUsage();
	process.stdout.write(`STATE ${JSON.stringify({ heapUsed, rss, entries })}\n`);
});
