import type { Page, PageScreenshotOptions } from 'playwright-core';

const margin = 24;

/** What of the editor is not the workflow; and the names of outputs, which n8n cuts off, whole. */
const otherThanWorkflow = `
	[data-test-id="main-sidebar"], #header, #footer, .vue-flow__panel, [class*="executionButtons"], [class*="toast"],
	[data-test-id="node-issues"] { display: none !important; }
	[data-test-id="canvas-handle-plus-wrapper"] { visibility: hidden; }
	[class*="outputLabel"] { max-width: none !important; }
`;

/** A picture of the workflow on the open canvas, without the rest of the editor. */
export async function takeCanvasPicture(page: Page) {
	await page.setViewportSize({ width: 1280, height: 1100 });
	await page.locator('.vue-flow__node').first().waitFor();
	await page.addStyleTag({ content: otherThanWorkflow });
	await page.keyboard.press('1');
	// The icons of nodes.
	await page.waitForLoadState('networkidle');
	await page.waitForFunction(() => {
		const icons = Array.from(document.querySelectorAll<HTMLImageElement>('.vue-flow__node img'));
		return (
			icons.length > 0 && icons.every(({ complete, naturalWidth }) => complete && naturalWidth > 0)
		);
	});
	// The rectangle around all nodes with their labels.
	const parts = page.locator('.vue-flow__node, .vue-flow__node [class*="description"]');
	return await takeStillPicture(
		page,
		async () =>
			await parts.evaluateAll((elements, space) => {
				const boxes = elements.map((element) => element.getBoundingClientRect());
				const x = Math.min(...boxes.map(({ left }) => left)) - space;
				const y = Math.min(...boxes.map(({ top }) => top)) - space;
				return {
					x,
					y,
					width: Math.max(...boxes.map(({ right }) => right)) + space - x,
					height: Math.max(...boxes.map(({ bottom }) => bottom)) + space - y,
				};
			}, margin),
	);
}

/** A picture of a rectangle, once nothing in it moves any more. */
export async function takeStillPicture(
	page: Page,
	rectangle: () => Promise<PageScreenshotOptions['clip']>,
) {
	let before = Buffer.alloc(0);
	for (;;) {
		const clip = await rectangle();
		const now = await page.screenshot({ clip, animations: 'disabled', caret: 'hide' });
		if (now.equals(before)) return now;
		before = now;
		await page.waitForTimeout(300);
	}
}
