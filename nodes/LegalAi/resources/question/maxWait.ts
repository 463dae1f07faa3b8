import { number, YEAR } from '../../parameters';

/** How long an answer is waited for, in minutes from when the service accepted the question; 0 checks once. */
export const maxWait = number(
	'maxWait',
	'Max Wait (Minutes)',
	{
		default: 30,
		description:
			'How long to wait for the answer. Most answers take 2 to 5 minutes. If none arrives in time, the question is output without one, with "timed_out" set to true.',
	},
	{ min: 0, max: YEAR },
);
