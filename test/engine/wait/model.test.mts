import { holdsInAnyOrder } from '../../support/wait/model.mts';
import { onStoppedClock } from '../../support/wait/onStoppedClock.mts';
import { subjects } from '../../support/wait/subjects.mts';

const MINUTES = 60_000;

const world = await onStoppedClock();

describe('questions are never asked twice, and answers are never lost, changed or output twice:', () => {
	test.each(subjects)(
		'$name, up to three questions, after random sequences of up to twelve events that reach every event',
		(subject) => holdsInAnyOrder(world, subject),
		10 * MINUTES,
	);
});
