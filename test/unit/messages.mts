import { globSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';

import ts from 'typescript';

/** A message that a person can get, as the sources have it; `…` stands for what differs from case to case. */
export interface Message {
	/** The source file, below the root. */
	readonly file: string;
	/** When it is shown, where the sources say so by a name or a condition. */
	readonly cause: string;
	readonly message: string;
	/** What to do about it; empty where the message says that too. */
	readonly description: string;
}

const VARYING = '…';

/** Reads every message of the published sources out of their syntax trees. */
export function readMessages(root: string): Message[] {
	const files = globSync(['nodes/**/*.ts', 'credentials/**/*.ts'], { cwd: root }).sort();
	return files.flatMap((file) => {
		const path = join(root, file);
		const source = ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.ES2022, true);
		const found: Message[] = [];
		const visit = (node: ts.Node): void => {
			const words = wordsAt(node, source);
			if (words !== undefined && /[a-z]{3}/i.test(words.message.replace('[item …]', ''))) {
				found.push({ file: relative(root, path), cause: causeOf(node), ...words });
			}
			ts.forEachChild(node, visit);
		};
		visit(source);
		return found;
	});
}

function wordsAt(node: ts.Node, source: ts.SourceFile): Pick<Message, 'message' | 'description'> | undefined {
	const words = (message: ts.Node | undefined, description?: ts.Node): ReturnType<typeof wordsAt> =>
		message === undefined
			? undefined
			: { message: textOf(message, source), description: description === undefined ? '' : textOf(description, source) };

	if (ts.isObjectLiteralExpression(node)) {
		const [message, description] = [propertyOf(node, 'message'), propertyOf(node, 'description')];
		return message === undefined || description === undefined ? undefined : words(message, description);
	}
	if (ts.isCallExpression(node)) {
		const name = node.expression.getText().split('.').at(-1) ?? '';
		const [, , third, fourth] = node.arguments;
		if (name === 'refusal' && fourth !== undefined) return words(third, fourth);
		if (name === 'refuse' && node.arguments.length === 2) return words(node.arguments[0], node.arguments[1]);
		if (name === 'hint' && node.arguments.length === 1) return words(node.arguments[0]);
	}
	if (ts.isPropertyAssignment(node) && ts.isStringLiteralLike(node.initializer) && causeOf(node).startsWith('LOOK_FIRST')) {
		return { message: 'One of the above', description: node.initializer.text };
	}
	if (ts.isNewExpression(node)) {
		const [first, message, options] = node.arguments ?? [];
		const name = node.expression.getText();
		if (name === 'BaseUrlRefused') return words(first);
		if (name === 'Unusable') return { message: `'…' ${textOf(node.arguments?.[0] ?? node, source)}`, description: textOf(message ?? node, source) };
		if (name !== 'NodeOperationError' || message === undefined || !ts.isStringLiteralLike(firstPart(message))) return undefined;
		return words(message, options !== undefined && ts.isObjectLiteralExpression(options) ? propertyOf(options, 'description') : undefined);
	}
	return undefined;
}

/** The names of the tables and entries, or the conditions, that a message stands below. */
function causeOf(node: ts.Node): string {
	const names: string[] = [];
	for (let outer = node; !ts.isSourceFile(outer); outer = outer.parent) {
		if (ts.isPropertyAssignment(outer) && !['message', 'description'].includes(nameOf(outer))) names.unshift(nameOf(outer));
		if (ts.isIfStatement(outer)) names.unshift(outer.expression.getText());
		if (ts.isVariableDeclaration(outer) && /^[A-Z_]+$/.test(outer.name.getText())) names.unshift(outer.name.getText());
	}
	return names.join(' › ');
}

function propertyOf(object: ts.ObjectLiteralExpression, name: string): ts.Expression | undefined {
	for (const property of object.properties) {
		if (ts.isPropertyAssignment(property) && nameOf(property) === name) return property.initializer;
		if (ts.isShorthandPropertyAssignment(property) && property.name.text === name) return property.name;
	}
	return undefined;
}

function nameOf({ name }: ts.PropertyAssignment): string {
	return ts.isStringLiteral(name) || ts.isIdentifier(name) ? name.text : name.getText();
}

/** A text as it is written; constants of the same file are put in, and what is worked out is an ellipsis. */
function textOf(node: ts.Node, source: ts.SourceFile): string {
	if (ts.isStringLiteralLike(node)) return node.text;
	if (ts.isParenthesizedExpression(node)) return textOf(node.expression, source);
	if (ts.isTemplateExpression(node)) {
		return node.head.text + node.templateSpans.map(({ expression, literal }) => textOf(expression, source) + literal.text).join('');
	}
	if (ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.PlusToken) {
		return textOf(node.left, source) + textOf(node.right, source);
	}
	if (ts.isConditionalExpression(node)) return `${textOf(node.whenTrue, source)} / ${textOf(node.whenFalse, source)}`;
	const constant = ts.isIdentifier(node) && /^[A-Z_]+$/.test(node.text) ? constantOf(node.text, source) : undefined;
	return constant === undefined ? VARYING : textOf(constant, source);
}

function constantOf(name: string, source: ts.SourceFile): ts.Expression | undefined {
	for (const statement of source.statements.filter(ts.isVariableStatement)) {
		for (const declaration of statement.declarationList.declarations) {
			if (declaration.name.getText() === name) return declaration.initializer;
		}
	}
	return undefined;
}

function firstPart(node: ts.Expression): ts.Node {
	if (ts.isTemplateExpression(node)) return ts.factory.createStringLiteral('');
	if (ts.isConditionalExpression(node)) return firstPart(node.whenTrue);
	return node;
}
