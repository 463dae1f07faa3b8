/**
 * How the sandbox answers what the specification leaves open, or says in two ways, as far as tests of the nodes need it here: services
 * that choose everything are in `test/double/`. A test sets the fields on `sandbox.shapes`.
 */
export interface Shapes {
	/** A single task, created, fetched or updated: itself, or in a field of that name. */
	task: 'bare' | 'task' | 'data';
	/** A synchronous question that takes longer than 30 seconds: a Question still in progress, or an error status. */
	syncPastLimit: 'in_progress' | 408 | 504;
	/** Whether a generated file says its name, type and length, or null for each. */
	attachmentDetails: 'given' | 'null';
}

export const defaultShapes = (): Shapes => ({ task: 'bare', syncPastLimit: 'in_progress', attachmentDetails: 'given' });

/** One task in the chosen shape. */
export function shapeTask(shapes: Shapes, task: unknown): unknown {
	return shapes.task === 'bare' ? task : { [shapes.task]: task };
}
