import type { FastifyInstance } from 'fastify';

import { asList, asRecord, asText, type JsonRecord } from '../../../harness/unknownJson.mts';
import { found } from './found.mts';

/** A deal, with its properties, its notes, and the files that are attached to them. */
export interface HubspotDeal {
	readonly id: string;
	readonly properties: Record<string, string>;
	readonly notes: string[];
	readonly files: string[];
}

interface OfDeal {
	Params: { id: string };
}

const api = { constraints: { host: 'api.hubapi.com' } };

/** HubSpot, with deals, notes and files. Its search knows of a change only after a while. */
export class Hubspot {
	readonly deals = new Map<string, HubspotDeal>();
	/** Deals that the search finds whatever became of them. */
	readonly stale = new Set<string>();

	constructor(app: FastifyInstance) {
		app.post('/crm/v3/objects/deals/search', api, ({ body }) => {
			const groups = asList(asRecord(body, 'A search').filterGroups, 'Its groups').map((group) =>
				asRecord(group, 'A group'),
			);
			const filters = groups
				.flatMap(({ filters }) => asList(filters, 'Filters'))
				.map((filter) => asRecord(filter, 'A filter'));
			const results = [...this.deals.values()].filter(
				({ id, properties }) =>
					this.stale.has(id) ||
					filters.every(
						({ propertyName, value }) => properties[asText(propertyName, 'A property')] === value,
					),
			);
			return { results, total: results.length };
		});
		app.get<OfDeal>('/deals/v1/deal/:id', api, ({ params }) => asAnswer(this.#deal(params.id)));
		app.put<OfDeal>('/deals/v1/deal/:id', api, ({ params, body }) => {
			const deal = this.#deal(params.id);
			const changes = asList(asRecord(body, 'A change').properties, 'Properties').map((change) =>
				asRecord(change, 'A property'),
			);
			for (const { name, value } of changes)
				deal.properties[asText(name, 'A name')] = asText(value, 'A value');
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
	request(id: string, properties: Readonly<Record<string, string>> = {}): HubspotDeal {
		const party = { nda_party: 'Meridian Analytics, Inc.', nda_address: '1 Main Street, Boston' };
		const deal = {
			id,
			properties: { dealname: `Deal ${id}`, nda_status: 'requested', ...party, ...properties },
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

	#deal(id: string): HubspotDeal {
		return found(this.deals.get(id), `deal ${id}`);
	}
}

/** A deal as the first version of HubSpot's API gives it. */
function asAnswer({ id, properties }: HubspotDeal): JsonRecord {
	const versions = Object.entries(properties).map(([name, value]) => [name, { value }]);
	return { dealId: Number(id), properties: Object.fromEntries(versions) as unknown };
}
