import { LEGAL_AI, LEGAL_AI_TASK_TRIGGER, LEGAL_AI_TRIGGER } from './engine.mts';

/** The package's nodes with their modules loaded anew, as in a process that has just started: nothing is cached. */
export async function freshNodes() {
	vi.resetModules();
	const { LegalAi } = await import('../../../nodes/LegalAi/LegalAi.node.ts');
	const { LegalAiTrigger } = await import('../../../nodes/LegalAi/LegalAiTrigger.node.ts');
	const { LegalAiTaskTrigger } = await import('../../../nodes/LegalAi/LegalAiTaskTrigger.node.ts');
	return {
		[LEGAL_AI]: new LegalAi(),
		[LEGAL_AI_TRIGGER]: new LegalAiTrigger(),
		[LEGAL_AI_TASK_TRIGGER]: new LegalAiTaskTrigger(),
	};
}
