import type { Page } from 'playwright-core';

const margin = 24;

/** What of the editor is not the workflow; and the names of outputs, which n8n cuts off, whole. */
const otherThanWorkflow = `
	[data-test-id="main-sidebar"], #header, #footer, .vue-flow__panel, [class*="executionButtons"], [class*="toast"],
	[data-test-id="node-issues"] { display: none !important; }
	[data-test-id="canvas-handle-plus-wrapper"] { visibility: hidden; }
	[class*="outputLabel"] { max-width: none !important; }
`;

/** A picture of the workflow on the open canvas, without the rest of the editor. */
export async function takeCanvasPicture(page: Page): Promise<Buffer> {
	await page.setViewportSize({ width: 1280, height: 1100 });
	await page.locator('.vue-flow__node').first().waitFor();
	await page.addStyleTag({ content: otherThanWorkflow });
	await page.keyboard.press('1');
	// The icons of nodes.
	await page.waitForLoadState('networkidle');
	return await takePictureOfNodes(page);
}

/** A picture of the rectangle around all nodes with their labels, once their icons are there and nothing in it moves any more. */
async function takePictureOfNodes(page: Page): Promise<Buffer> {
	await page.waitForFunction(() => {
		const icons = Array.from(document.querySelectorAll<HTMLImageElement>('.vue-flow__node img'));
		return (
			icons.length > 0 && icons.every(({ complete, naturalWidth }) => complete && naturalWidth > 0)
		);
	});
	let before = '';
	for (;;) {
		const edges = await page
			.locator('.vue-flow__node, .vue-flow__node [class*="description"]')
			.evaluateAll((parts) =>
				parts
					.map((part) => part.getBoundingClientRect())
					.map(({ left, top, right, bottom }) => ({ left, top, right, bottom })),
			);
		const [x, y] = [
			Math.min(...edges.map(({ left }) => left)) - margin,
			Math.min(...edges.map(({ top }) => top)) - margin,
		];
		const clip = {
			x,
			y,
			width: Math.max(...edges.map(({ right }) => right)) + margin - x,
			height: Math.max(...edges.map(({ bottom }) => bottom)) + margin - y,
		};
		if (JSON.stringify(clip) === before) return await page.screenshot({ clip });
		before = JSON.stringify(clip);
		await page.waitForTimeout(200);
	}
}
