import type { FastifyInstance } from 'fastify';

import { asList, asRecord, asText, type JsonRecord } from '../../../harness/unknownJson.mts';

/** A deal, with its properties and the notes at it. */
export interface HubspotDeal {
	readonly id: string;
	readonly properties: Record<string, string>;
	/** The files that are attached to its notes. */
	readonly files: string[];
}

/** HubSpot, with deals, notes and files. Its search knows of a change only after a while. */
export class Hubspot {
	readonly deals = new Map<string, HubspotDeal>();
	/** What n8n's credential holds. */
	readonly credential = { appToken: 'pat-na1-token' };
	/** What the search believes of deals, if it is late. */
	readonly stale = new Map<string, Readonly<Record<string, string>>>();

	constructor(app: FastifyInstance) {
		const constraints = { host: 'api.hubapi.com' };
		app.post('/crm/v3/objects/deals/search', { constraints }, ({ body }) => {
			const groups = asList(asRecord(body, 'A search').filterGroups, 'Its groups').map((group) => asRecord(group, 'A group'));
			const filters = groups.flatMap(({ filters }) => asList(filters, 'Filters')).map((filter) => asRecord(filter, 'A filter'));
			const known = [...this.deals.values()].map(({ id, properties }) => ({ id, properties: this.stale.get(id) ?? properties }));
			const isFound = ({ properties }: { properties: Readonly<Record<string, string>> }): boolean =>
				filters.every(({ propertyName, value }) => properties[asText(propertyName, 'A property')] === value);
			return { results: known.filter(isFound), total: known.filter(isFound).length };
		});
		interface OfDeal { Params: { id: string } }
		app.get<OfDeal>('/deals/v1/deal/:id', { constraints }, async ({ params: { id } }, reply) => {
			const deal = this.deals.get(id);
			if (deal === undefined) return await reply.code(404).send({ status: 'error', message: 'resource not found' });
			return { dealId: Number(id), properties: toVersions(deal.properties) };
		});
		app.put<OfDeal>('/deals/v1/deal/:id', { constraints }, ({ params: { id }, body }) => {
			const changes = asList(asRecord(body, 'A change').properties, 'Properties').map((change) => asRecord(change, 'A property'));
			for (const { name, value } of changes) this.deal(id).properties[asText(name, 'A name')] = asText(value, 'A value');
			return { dealId: Number(id), properties: toVersions(this.deal(id).properties) };
		});
		const uploads: string[] = [];
		app.post('/files/v3/files', { constraints }, ({ body }) => {
			const fileName = /filename="([^"]+)"/.exec(String(body))?.[1] ?? '';
			return { id: String(uploads.push(fileName)) };
		});
		app.post('/crm/v3/objects/notes', { constraints }, ({ body }) => {
			const { properties, associations } = asRecord(body, 'A note');
			const [association] = asList(associations, 'Associations');
			const { id } = asRecord(asRecord(association, 'An association').to, 'What it belongs to');
			const file = uploads[Number(asRecord(properties, 'Properties').hs_attachment_ids) - 1];
			this.deal(String(id)).files.push(asText(file, 'The attached file'));
			return { id: '1' };
		});
	}

	/** A deal in which a salesperson has requested an NDA. */
	request(id: string, properties: Readonly<Record<string, string>> = {}): HubspotDeal {
		const party = { nda_party: 'Meridian Analytics, Inc.', nda_address: '1 Main Street, Boston' };
		const deal = { id, properties: { dealname: `Deal ${id}`, nda_status: 'requested', ...party, ...properties }, files: [] };
		this.deals.set(id, deal);
		return deal;
	}

	deal(id: string): HubspotDeal {
		const deal = this.deals.get(id);
		if (deal === undefined) throw new Error(`There is no deal ${id}`);
		return deal;
	}

	reset(): void {
		this.deals.clear();
		this.stale.clear();
	}
}

/** Properties as the first version of HubSpot's API gives them. */
function toVersions(properties: Readonly<Record<string, string>>): JsonRecord {
	return Object.fromEntries(Object.entries(properties).map(([name, value]) => [name, { value }]));
}
