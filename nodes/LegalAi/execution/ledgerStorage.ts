import { NodeHelpers } from 'n8n-workflow';
import type { IExecuteData, IExecuteFunctions, INodeProperties } from 'n8n-workflow';

import { hashOf } from '../api';
import { Ledger, readKeptLedger, type KeptLedger } from './ledger';

/** The name of an input of n8n's stack entry, which n8n stores with the execution and redacts like all items. No node has it. */
const KEY = 'legalAi';

/** What is not kept on the entry: the ledger of a tool's call, and that of an entry whose items are output. */
const inProcess = new WeakMap<object, KeptLedger>();

/**
 * Whether a node is a tool that another node runs itself, many times with its own entry of the stack: AI Agent 2, n8n's MCP
 * trigger, and what n8n puts in an agent's place to execute the step of a tool alone. AI Agent 3 has n8n run it like any
 * other node. In queue mode, the entry of an MCP trigger's call is the tool's own, of an execution that is over.
 */
export function isRunByOtherNode(context: IExecuteFunctions): boolean {
	if (context.getExecuteData().node.name !== context.getNode().name) return true;
	return 'isToolExecution' in context && context.isToolExecution();
}

/** The execution's ID; undefined outside any, as in n8n's Agents. */
export function executionIdOf(context: IExecuteFunctions): string | undefined {
	return context.getExecutionId();
}

/** How long a run may wait: Engine 2.0 has one loop for all workflows, and clients of n8n's MCP trigger give up after 60 s. */
export function longestRunMs(context: IExecuteFunctions): number {
	const { name, type } = context.getExecuteData().node;
	const isMcpTrigger =
		type.endsWith('.mcpTrigger') || (name === context.getNode().name && isRunByOtherNode(context));
	if (isInEngine2(context)) return 0;
	return isMcpTrigger ? 50_000 : Infinity;
}

/** Whether n8n's Engine 2.0 runs the node, where it can't park: the IDs of its executions are UUIDs. */
export function isInEngine2(context: IExecuteFunctions): boolean {
	return /\D/.test(executionIdOf(context) ?? '');
}

/**
 * The ledger that a run of the node begins with, which n8n keeps from now on.
 *
 * @param properties those of the operation
 */
export function openLedger(context: IExecuteFunctions, properties: INodeProperties[]): Ledger {
	const node = context.getNode();
	const { resource, operation } = node.parameters;
	// n8n adds the defaults of all fields, also of those that a newer version of this package has.
	const chosen = NodeHelpers.getNodeParameters(
		properties,
		node.parameters,
		false,
		false,
		node,
		null,
	);
	const { entry, call } = ownersOf(context);
	const kept =
		call === undefined ? (readLedger(entry) ?? inProcess.get(entry)) : inProcess.get(call);
	const ledger = Ledger.begin(kept, {
		executionId: executionIdOf(context) ?? '',
		// The options say how to wait and what to output, and nothing about what is asked.
		parameters: hashOf([
			{ resource, operation, ...chosen, options: undefined },
			// Another credential may be another organization's; one that is renamed is the same.
			Object.values(node.credentials ?? {}).map(({ id }) => id),
		]),
		itemCount: context.getInputData().length,
	});
	inProcess.set(call ?? entry, ledger.kept);
	if (call === undefined) writeLedger(entry, ledger.kept);
	return ledger;
}

/** Everything is output: n8n need not store the ledger. It is still found if n8n runs the node again immediately. */
export function closeLedger(context: IExecuteFunctions, { kept }: Ledger): void {
	const { entry, call } = ownersOf(context);
	inProcess.set(call ?? entry, { ...kept, plan: undefined });
	if (call === undefined) writeLedger(entry, undefined);
}

/** A tool that another node runs many times with one entry has a ledger for each of its calls. */
function ownersOf(context: IExecuteFunctions): { entry: IExecuteData; call: object | undefined } {
	const call = isRunByOtherNode(context) ? context.getInputData()[0]?.json : undefined;
	return { entry: context.getExecuteData(), call };
}

/** The ledger on an entry of n8n's stack; undefined if there is none. */
export function readLedger(entry: IExecuteData): KeptLedger | undefined {
	const kept = entry.data[KEY]?.[0]?.[0]?.json;
	return kept && readKeptLedger(kept);
}

/** Puts a ledger on an entry of n8n's stack, as an item, or takes it away. */
export function writeLedger(entry: IExecuteData, kept: KeptLedger | undefined): void {
	const data = { ...entry.data, [KEY]: [[{ json: kept ?? {} }]] };
	if (kept === undefined) Reflect.deleteProperty(data, KEY);
	entry.data = data;
}
