import { Editor } from '../harness/editor.mts';
import { importExample } from '../harness/examples.mts';
import { startN8n } from '../harness/n8n.mts';
const n8n = await startN8n();
try {
	const editor = await Editor.open(n8n);
	await editor.page.setViewportSize({ width: 1280, height: 800 });
	for (const name of process.argv.slice(2)) {
		const { id } = await importExample(n8n, `${name}.json`);
		await editor.openWorkflow(id);
		await editor.page.waitForTimeout(2500);
		const zoom = await editor.page.locator('.vue-flow__transformationpane').evaluate((e) => (e as unknown as { style: { transform: string } }).style.transform);
		console.log(name, zoom);
		await editor.page.screenshot({ path: `/tmp/h-a/${name}.png` });
	}
	await editor.close();
} finally { await n8n.close(); }
