import type { FastifyInstance } from 'fastify';

import { asList, asRecord, asText, type JsonRecord } from '../../../harness/unknownJson.mts';
import { found } from './found.mts';

/** A deal, with its properties, its notes, and the files that are attached to them. */
export interface HubspotDeal {
	id: string;
	properties: Record<string, string>;
	/** When it was changed last. */
	changedAt: number;
	notes: string[];
	files: string[];
}

interface OfDeal {
	Params: { id: string };
}

/** How many deals a page of a search has at most. */
const PAGE = 3;

const api = { constraints: { host: 'api.hubapi.com' } };

/** HubSpot, with deals, notes and files. Its search knows of a change only after a while. */
export class Hubspot {
	deals = new Map<string, HubspotDeal>();
	/** Deals that the search finds whatever became of them. */
	stale = new Set<string>();

	constructor(app: FastifyInstance) {
		app.post('/crm/v3/objects/deals/search', api, ({ body }) => {
			const { filterGroups, after } = asRecord(body, 'A search');
			const groups = asList(filterGroups, 'Its groups').map((group) =>
				asList(asRecord(group, 'A group').filters, 'Its filters').map((filter) =>
					asRecord(filter, 'A filter'),
				),
			);
			const found = [...this.deals.values()].filter(
				({ id, properties, changedAt }) =>
					this.stale.has(id) ||
					groups.some((filters) =>
						filters.every(({ propertyName, operator, value }) =>
							operator === 'LT'
								? changedAt < Number(value)
								: properties[asText(propertyName, 'A property')] === value,
						),
					),
			);
			const next = Number(after ?? 0) + PAGE;
			return {
				results: found.slice(next - PAGE, next).map(({ id, properties }) => ({ id, properties })),
				total: found.length,
				...(next < found.length && { paging: { next: { after: String(next) } } }),
			};
		});
		app.get<OfDeal>('/deals/v1/deal/:id', api, ({ params }) => asAnswer(this.#deal(params.id)));
		app.put<OfDeal>('/deals/v1/deal/:id', api, ({ params, body }) => {
			const deal = this.#deal(params.id);
			const changes = asList(asRecord(body, 'A change').properties, 'Properties').map((change) =>
				asRecord(change, 'A property'),
			);
			for (const { name, value } of changes)
				deal.properties[asText(name, 'A name')] = asText(value, 'A value');
			deal.changedAt = Date.now();
			return asAnswer(deal);
		});
		const uploads: string[] = [];
		app.post('/files/v3/files', api, ({ body }) => {
			const fileName = /filename="([^"]+)"/.exec(String(body))?.[1] ?? '';
			return { id: String(uploads.push(fileName)) };
		});
		app.post('/crm/v3/objects/notes', api, ({ body }) => {
			const { properties, associations } = asRecord(body, 'A note');
			const [association] = asList(associations, 'Associations');
			const { id } = asRecord(asRecord(association, 'An association').to, 'What it belongs to');
			const { hs_attachment_ids: file, hs_note_body: text } = asRecord(properties, 'Properties');
			this.#deal(String(id)).notes.push(asText(text, 'Its text'));
			this.#deal(String(id)).files.push(asText(uploads[Number(file) - 1], 'The attached file'));
			return { id: '1' };
		});
	}

	/** A deal in which a salesperson has requested an NDA. */
	request(id: string, properties: Record<string, string> = {}): HubspotDeal {
		const party = { nda_party: 'Meridian Analytics, Inc.', nda_address: '1 Main Street, Boston' };
		const deal = {
			id,
			properties: { dealname: `Deal ${id}`, nda_status: 'requested', ...party, ...properties },
			changedAt: Date.now(),
			notes: [],
			files: [],
		};
		this.deals.set(id, deal);
		return deal;
	}

	/** Forgets all deals. */
	reset(): void {
		this.deals.clear();
		this.stale.clear();
	}

	#deal(id: string) {
		return found(this.deals.get(id), `deal ${id}`);
	}
}

/** A deal as the first version of HubSpot's API gives it. */
function asAnswer({ id, properties, changedAt }: HubspotDeal): JsonRecord {
	const versions = Object.entries(properties).map(([name, value]) => [
		name,
		{ value, timestamp: changedAt },
	]);
	return {
		portalId: 62_515,
		dealId: Number(id),
		properties: Object.fromEntries(versions) as unknown,
	};
}
