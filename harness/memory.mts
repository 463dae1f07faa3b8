import { readFile, writeFile } from 'node:fs/promises';

/**
 * By how much the resident memory of a process grows, at most, while something runs in it; in bytes. Linux itself keeps the
 * peak, so that none is missed.
 */
export async function memoryGrowth(pid: number, run: () => Promise<unknown>) {
	await writeFile(`/proc/${pid}/clear_refs`, '5');
	const before = await resident(pid, 'VmRSS');
	await run();
	return Math.max(0, (await resident(pid, 'VmHWM')) - before);
}

async function resident(pid: number, name: 'VmHWM' | 'VmRSS') {
	const status = await readFile(`/proc/${pid}/status`, 'utf8');
	const kilobytes = new RegExp(`^${name}:\\s*(\\d+) kB$`, 'm').exec(status)?.[1];
	if (kilobytes === undefined)
		throw new Error(`The system does not tell ${name} of process ${pid}`);
	return Number(kilobytes) * 1024;
}
