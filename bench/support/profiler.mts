import { once } from 'node:events';

import { asList, asRecord, asText } from '../../test/support/unknownJson.mts';

/** One function of a profile. */
export interface ProfiledFunction {
	readonly name: string;
	/** Where its code is; empty for what belongs to V8 itself, e.g. `(garbage collector)`. */
	readonly url: string;
	/** In ms, without what it calls. */
	readonly self: number;
	/** Who called it, from the outside in, as `name url`. */
	readonly callers: readonly string[];
}

/**
 * The processor profile of a running Node process that listens for debuggers (`NODE_OPTIONS=--inspect=<port>`), while
 * something runs in it.
 */
export async function profiled(port: number, run: () => Promise<unknown>): Promise<ProfiledFunction[]> {
	const list = asList(await (await fetch(`http://127.0.0.1:${port}/json/list`)).json(), 'The targets');
	const socket = new WebSocket(asText(asRecord(list[0], 'A target').webSocketDebuggerUrl, 'The address of a debugger'));
	await once(socket, 'open');
	await send(socket, 'Profiler.enable');
	await send(socket, 'Profiler.setSamplingInterval', { interval: 500 });
	await send(socket, 'Profiler.start');
	await run();
	const { profile } = await send(socket, 'Profiler.stop');
	socket.close();
	return functionsOf(asRecord(profile, 'A profile'));
}

async function send(socket: WebSocket, method: string, params: object = {}): Promise<Record<string, unknown>> {
	socket.send(JSON.stringify({ id: 1, method, params }));
	for (;;) {
		const [event] = (await once(socket, 'message')) as unknown[];
		const message = asRecord(JSON.parse(event instanceof MessageEvent ? String(event.data) : ''), 'A message');
		if (message.id === 1) return asRecord(message.result, `The result of ${method}`);
	}
}

interface ProfileNode {
	readonly id: number;
	readonly callFrame: { readonly functionName: string; readonly url: string };
	readonly children?: readonly number[];
}

function functionsOf(profile: Record<string, unknown>): ProfiledFunction[] {
	const nodes = new Map((profile.nodes as ProfileNode[]).map((node) => [node.id, node]));
	const parents = new Map([...nodes.values()].flatMap(({ id, children = [] }) => children.map((child) => [child, id] as const)));
	const self = new Map<number, number>();
	const [samples, deltas] = [profile.samples as number[], profile.timeDeltas as number[]];
	samples.forEach((id, index) => self.set(id, (self.get(id) ?? 0) + (deltas[index] ?? 0) / 1000));
	return [...self].map(([id, ms]) => {
		const callers: string[] = [];
		for (let caller = parents.get(id); caller !== undefined; caller = parents.get(caller)) callers.unshift(label(nodes.get(caller)));
		const { functionName: name = '', url = '' } = nodes.get(id)?.callFrame ?? {};
		return { name, url, self: ms, callers };
	});
}

function label(node: ProfileNode | undefined): string {
	return `${node?.callFrame.functionName ?? ''} ${node?.callFrame.url ?? ''}`;
}
