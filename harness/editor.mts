import { existsSync } from 'node:fs';

import { type Browser, chromium, type Page } from 'playwright-core';

import { testOwner } from './restSession.mts';

const executablePath = process.env.LEGAL_AI_CHROMIUM ?? '/usr/bin/chromium';

/** How long the editor's pages may take on a busy machine, in ms. */
const patience = 120_000;

async function launch() {
	if (!existsSync(executablePath)) {
		throw new Error(
			`There is no browser at ${executablePath}. Install Debian's package chromium, or say in LEGAL_AI_CHROMIUM where yours is.`,
		);
	}
	return await chromium.launch({
		executablePath,
		args: ['--no-sandbox', '--disable-gpu', '--disable-quic'],
	});
}

/** A picture of a page, as high as it is. */
export async function takeHtmlPicture(html: string) {
	const browser = await launch();
	const page = await browser.newPage({ viewport: { width: 960, height: 200 } });
	await page.setContent(html);
	const picture = await page.screenshot({ fullPage: true });
	await browser.close();
	return picture;
}

/** n8n's editor in a real browser. */
export class Editor {
	readonly page: Page;
	private readonly browser: Browser;
	private readonly baseUrl: string;

	private constructor(browser: Browser, page: Page, baseUrl: string) {
		this.browser = browser;
		this.page = page;
		this.baseUrl = baseUrl;
	}

	/** Opens the editor of a running n8n and logs in as a person does. */
	static async open({ baseUrl }: { baseUrl: string }) {
		const browser = await launch();
		const page = await browser.newPage({ viewport: { width: 1440, height: 1100 } });
		page.setDefaultTimeout(patience);
		const editor = new Editor(browser, page, baseUrl);
		await editor.goTo('/signin');
		await editor.part('emailOrLdapLoginId').locator('input').fill(testOwner.email);
		await editor.part('password').locator('input').fill(testOwner.password);
		await editor.part('form-submit-button').click();
		await page.waitForURL(/\/(home|workflow)/);
		return editor;
	}

	/** An element by the name that n8n's own tests use. */
	part(name: string) {
		return this.page.locator(`[data-test-id="${name}"]:visible`);
	}

	/** The input of a node's or credential's parameter. */
	parameter(name: string) {
		return this.part(`parameter-input-${name}`);
	}

	/** Opens a page of the editor by its path. */
	async goTo(path: string) {
		await this.page.goto(`${this.baseUrl}${path}`);
	}

	/** Opens the canvas of a stored workflow. */
	async openWorkflow(workflowId: string) {
		await this.goTo(`/workflow/${workflowId}`);
	}

	/** Opens a node of a stored workflow; with an execution, as it was in that. */
	async openNode(workflowId: string, nodeId: string, executionId?: string) {
		const execution = executionId === undefined ? '' : `executions/${executionId}/`;
		await this.goTo(`/workflow/${workflowId}/${execution}${nodeId}`);
		await this.part('node-parameters').waitFor();
	}

	/** Searches the list of nodes. */
	async searchNodes(words: string) {
		await this.part('node-creator-plus-button').click();
		await this.part('node-creator-search-bar').fill(words);
	}

	async close() {
		await this.browser.close();
	}
}
