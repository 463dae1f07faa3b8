import { readFile } from 'node:fs/promises';

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
