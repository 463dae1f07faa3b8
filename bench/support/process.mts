import { readFile, writeFile } from 'node:fs/promises';

/** Clock ticks a second, in which Linux counts what a process has used. */
const TICKS = 100;

/** The processor time that a process has used so far, in ms (Linux). */
export async function processorTime(pid: number) {
	const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
	const [user, system] = stat
		.slice(stat.lastIndexOf(')') + 2)
		.split(' ')
		.slice(11, 13);
	return ((Number(user) + Number(system)) / TICKS) * 1000;
}

/**
 * By how many MB the resident memory of a process grows, at most, while something runs in it (Linux, which keeps the peak itself, so
 * that none is missed).
 */
export async function memoryGrowth(pid: number, run: () => Promise<unknown>) {
	await writeFile(`/proc/${pid}/clear_refs`, '5');
	const before = await resident(pid, 'VmRSS');
	await run();
	return Math.max(0, (await resident(pid, 'VmHWM')) - before) / 1024;
}

/** In KB. */
async function resident(pid: number, name: 'VmHWM' | 'VmRSS') {
	const status = await readFile(`/proc/${pid}/status`, 'utf8');
	const kilobytes = new RegExp(`^${name}:\\s*(\\d+) kB$`, 'm').exec(status)?.[1];
	if (kilobytes === undefined)
		throw new Error(`The system does not tell ${name} of process ${pid}`);
	return Number(kilobytes);
}
