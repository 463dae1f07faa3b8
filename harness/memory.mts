import { readFile, writeFile } from 'node:fs/promises';

/** A process's memory before something ran in it, and its maximum while it ran; in bytes. */
export interface MemoryUse {
	readonly before: number;
	readonly peak: number;
}

/** By how much the maximum exceeds the memory before; in bytes. */
export function growthOf({ before, peak }: MemoryUse): number {
	return Math.max(0, peak - before);
}

/**
 * Watches the resident memory of a process while something runs in it. Linux itself keeps the peak, so that
 * none is missed.
 */
export async function watchMemory<Result>(
	pid: number,
	run: () => Promise<Result>,
): Promise<{ result: Result; memory: MemoryUse }> {
	await writeFile(`/proc/${pid}/clear_refs`, '5');
	const before = await resident(pid, 'VmRSS');
	const result = await run();
	return { result, memory: { before, peak: await resident(pid, 'VmHWM') } };
}

async function resident(pid: number, name: 'VmHWM' | 'VmRSS'): Promise<number> {
	const status = await readFile(`/proc/${pid}/status`, 'utf8');
	const kilobytes = new RegExp(`^${name}:\\s*(\\d+) kB$`, 'm').exec(status)?.[1];
	if (kilobytes === undefined) throw new Error(`The system does not tell ${name} of process ${pid}`);
	return Number(kilobytes) * 1024;
}
