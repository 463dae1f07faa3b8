// The process behind PlainProgram: one message a job, answered with the time that the job took.
import { jobs } from './plainJobs.mts';

type Job = (input: unknown) => Promise<unknown>;

process.on('message', ({ job, input }: { job: keyof typeof jobs; input: unknown }) => {
	const began = performance.now();
	(jobs[job] as Job)(input).then(
		() => process.send?.({ ms: performance.now() - began }),
		(failure: unknown) => process.send?.({ failure: String(failure) }),
	);
});
process.send?.('ready');
