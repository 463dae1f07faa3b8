import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { takeHtmlPicture } from '../../../harness/editor.mts';
import { projectFolder } from '../../../harness/installedPackage.mts';
import type { Stage } from '../products/stage.mts';
import type { Written } from '../products/written.mts';

const style = `body { margin: 0; padding: 24px; width: 912px; background: #f5f6f8; font: 15px/1.5 sans-serif; color: #22262b; }
	article { margin-bottom: 16px; padding: 16px 20px; border: 1px solid #dbdfe7; border-radius: 8px; background: #fff; white-space: pre-line; }
	h1 { margin: 0 0 8px; font-size: 15px; } small { color: #525356; } td { padding: 4px 12px 4px 0; vertical-align: top; }`;

const escape = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
const card = ({ title, text, files, isDraft = false }: Omit<Written, 'to'>) =>
	`<article><h1>${escape(title)}${isDraft ? ' (draft)' : ''}</h1>${escape(text)}${files.map((name) => `\n<small>Attached: ${escape(name)}</small>`).join('')}</article>`;

/** Everything that an example has written: about an item, if anything names it. */
function drawCards({ products, service, written }: Stage, item: string) {
	const rows = products.google.sheet.map(
		(cells) => `<tr>${cells.map((cell) => `<td>${escape(cell)}</td>`).join('')}</tr>`,
	);
	const tasks = service.tasks.ordered().map((task) => ({
		title: `Task ${task.display_id}, ${task.status}: ${task.title}`,
		text: [task.description, task.additional_context].filter(Boolean).join('\n\n'),
		files: [],
		isDraft: task.draft,
	}));
	const all = [
		...written.map(card),
		...(rows.length > 0 ? [`<article><table>${rows.join('')}</table></article>`] : []),
		...tasks.map(card),
	];
	const about = all.filter((text) => text.includes(item));
	return about.length > 0 ? about : all;
}

/** Takes a picture of what comes out of an example, if `LEGAL_AI_PICTURES` is set: of a page, or of all that was written. */
export async function takeResultPicture(
	stage: Stage,
	example: string,
	item: string,
	html = `<style>${style}</style>${drawCards(stage, item).slice(0, 5).join('')}`,
) {
	if (process.env.LEGAL_AI_PICTURES === undefined) return;
	const file = join(projectFolder, 'examples', 'pictures', `${example}-result.png`);
	await writeFile(file, await takeHtmlPicture(html));
}
