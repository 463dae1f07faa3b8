import { releaseClock } from '../../support/clock.mts';
import { holdsInAnyOrder } from '../../support/wait/model.mts';
import { subjects } from '../../support/wait/subjects.mts';
import { sandbox } from '../../support/wait/world.mts';

const MINUTES = 60_000;

afterAll(async () => {
	releaseClock();
	await sandbox.close();
});

describe('questions are never asked twice, and answers are never lost, changed or output twice:', () => {
	test.each(subjects)(
		'$name, up to three questions, after random sequences of up to twelve events that reach every event',
		holdsInAnyOrder,
		10 * MINUTES,
	);
});
