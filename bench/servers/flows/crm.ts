import { counts, has, inOrder, isEmpty, isThere, lacks, matches, not, only } from './claims.ts';
import type { Flow, Step } from './step.ts';

const api = '/crm/v3';
const contacts = `${api}/objects/contacts`;
const deals = `${api}/objects/deals`;

const start: Step[] = [
  {
    does: 'is refused without a token',
    send: `GET ${contacts}`,
    as: 'anonymous',
    status: 401,
    sees: { status: 'error', category: 'INVALID_AUTHENTICATION', correlationId: isThere },
  },
  {
    does: 'is an app that only reads, which may not create a company',
    send: `POST ${api}/objects/companies`,
    json: { properties: { name: 'Flow Boats' } },
    as: 'reader',
    status: 403,
    sees: { category: 'MISSING_SCOPES', 'context requiredScopes': ['crm.objects.companies.write'] },
  },
  {
    does: 'follows the pages of the contacts to the end',
    send: `GET ${contacts}`,
    query: { limit: 15, properties: 'city' },
    next: { at: 'paging next link' },
    sees: {
      'pages 0 results': counts(15),
      'pages 0 results 0 properties record_id': isThere,
      'pages 1 results': counts(15),
      'pages 2 paging': isEmpty,
      'pages * results * archived': isThere,
    },
  },
  {
    does: 'looks at the pipelines',
    send: `GET ${api}/pipelines/deals`,
    sees: {
      'results [id=default] stages': isThere,
      'results * id': inOrder('default', 'renewals'),
    },
    keeps: { first: 'results 0 stages 0 id' },
  },
  {
    does: 'finds the owners',
    send: `GET ${api}/owners`,
    sees: { 'results * archived': only(false) },
    keeps: { owner: 'results 0 id' },
  },
  {
    does: 'defines a property with options',
    send: `POST ${api}/properties/contacts`,
    json: {
      name: 'boat_class',
      label: 'Boat class',
      type: 'enumeration',
      fieldType: 'select',
      options: [
        { label: 'Dinghy', value: 'dinghy' },
        { label: 'Yacht', value: 'yacht' },
      ],
    },
    status: 201,
    sees: { systemDefined: false, hasUniqueValue: false, 'options * value': ['dinghy', 'yacht'] },
  },
];

const people: Step[] = [
  {
    does: 'creates a company',
    send: `POST ${api}/objects/companies`,
    json: { properties: { name: 'Flow Boats', domain: 'Flow-Boats.example', city: 'Visby' } },
    status: 201,
    sees: { archived: false, 'properties domain': 'flow-boats.example' },
    keeps: { company: 'id' },
  },
  {
    does: 'creates a contact of it',
    send: `POST ${contacts}`,
    json: {
      properties: {
        email: 'Flora@Flow-Boats.example',
        firstname: 'Flora',
        lastname: 'Nyberg',
        score: '42',
        boat_class: 'yacht',
        owner_id: '{owner}',
      },
      associations: [{ to: { id: '{company}', objectType: 'companies' } }],
    },
    status: 201,
    sees: {
      'properties email': 'flora@flow-boats.example',
      'properties boat_class': 'yacht',
      'properties record_id': isThere,
    },
    keeps: { flora: 'id' },
  },
  {
    does: 'is refused another with the same address',
    send: `POST ${contacts}`,
    json: { properties: { email: 'flora@flow-boats.example' } },
    status: 409,
    sees: { category: 'CONFLICT', 'context existingId': ['{flora}'] },
  },
  {
    does: 'reads the contact by the address, with its company',
    send: `GET ${contacts}/flora@flow-boats.example`,
    query: { idProperty: 'email', properties: 'phone,lifecyclestage', associations: 'companies' },
    sees: {
      id: '{flora}',
      'properties phone': null,
      'properties lifecyclestage': 'lead',
      'associations companies results': [{ id: '{company}', type: 'contact_to_company' }],
    },
  },
  {
    does: 'is refused values that are not valid, each by its name',
    send: `PATCH ${contacts}/{flora}`,
    json: { properties: { phone: '555', score: 'high', boat_class: 'raft' } },
    status: 400,
    sees: { category: 'VALIDATION_ERROR', 'errors * in': has('score', 'boat_class') },
  },
  {
    does: 'changes the contact',
    send: `PATCH ${contacts}/{flora}`,
    json: { properties: { jobtitle: 'Head of sales', score: '' } },
    sees: { 'properties jobtitle': 'Head of sales', 'properties score': null },
  },
  {
    does: 'sees that nothing of what was refused was kept',
    send: `GET ${contacts}/{flora}`,
    query: { properties: 'phone,boat_class,jobtitle' },
    sees: {
      'properties phone': null,
      'properties boat_class': 'yacht',
      'properties jobtitle': 'Head of sales',
    },
  },
  {
    does: 'creates contacts in a batch, of which one is refused',
    send: `POST ${contacts}/batch/create`,
    json: {
      inputs: [
        { properties: { email: 'finn@flow-boats.example', score: '9', city: 'Visby' } },
        { properties: { email: 'not an address' }, objectWriteTraceId: 'second' },
        { properties: { email: 'folke@flow-boats.example', score: '110', city: 'Visby' } },
      ],
    },
    status: 207,
    sees: {
      status: 'COMPLETE',
      results: counts(2),
      numErrors: 1,
      'errors 0 context objectWriteTraceId': ['second'],
    },
  },
  {
    does: 'searches those of the town with a score above 10, or whose title speaks of sales',
    send: `POST ${contacts}/search`,
    json: {
      filterGroups: [
        {
          filters: [
            { propertyName: 'city', operator: 'EQ', value: 'visby' },
            { propertyName: 'score', operator: 'GT', value: '10' },
          ],
        },
        {
          filters: [
            { propertyName: 'jobtitle', operator: 'CONTAINS_TOKEN', value: 'sales' },
            { propertyName: 'boat_class', operator: 'IN', values: ['yacht'] },
          ],
        },
      ],
      sorts: [{ propertyName: 'email', direction: 'DESCENDING' }],
    },
    sees: {
      total: 2,
      'results * properties email': ['folke@flow-boats.example', 'flora@flow-boats.example'],
    },
    keeps: { folke: 'results 0 id' },
  },
  {
    does: 'is refused to remove the option that a contact has',
    send: `PATCH ${api}/properties/contacts/boat_class`,
    json: { options: [{ label: 'Dinghy', value: 'dinghy' }] },
    status: 409,
    sees: { category: 'CONFLICT' },
  },
];

const sales: Step[] = [
  {
    does: 'creates a deal, which begins in the first stage',
    send: `POST ${deals}`,
    json: {
      properties: { dealname: 'Flow fleet' },
      associations: [{ to: { id: '{company}', objectType: 'companies' } }],
    },
    status: 201,
    sees: { 'properties dealstage': '{first}', 'properties closedate': null },
    keeps: { deal: 'id' },
  },
  {
    does: 'associates it with the contact',
    send: `PUT ${deals}/{deal}/associations/contacts/{flora}`,
    sees: { id: '{flora}', type: 'deal_to_contact' },
  },
  {
    does: 'sees the deal from the contact',
    send: `GET ${contacts}/{flora}/associations/deals`,
    sees: { results: [{ id: '{deal}', type: 'contact_to_deal' }] },
  },
  {
    does: 'is refused a stage of another pipeline',
    send: `PATCH ${deals}/{deal}`,
    json: { properties: { dealstage: 'offered' } },
    status: 400,
    sees: { 'errors * in': has('dealstage') },
  },
  {
    does: 'is refused to win it without an amount',
    send: `PATCH ${deals}/{deal}`,
    json: { properties: { dealstage: 'closedwon' } },
    status: 400,
    sees: { 'errors * in': has('amount') },
  },
  {
    does: 'wins it',
    send: `PATCH ${deals}/{deal}`,
    json: { properties: { dealstage: 'closedwon', amount: '1250.50' } },
    sees: { 'properties closedate': isThere, 'properties dealstage': 'closedwon' },
  },
  {
    does: 'sees what follows from it',
    send: `GET ${deals}/{deal}`,
    query: { properties: 'is_won,is_closed,forecast_amount', associations: 'contacts' },
    sees: {
      'properties is_won': 'true',
      'properties forecast_amount': matches(/^1250\.50?$/),
      'associations contacts results * id': ['{flora}'],
    },
  },
  {
    does: 'sees that the contact became a customer',
    send: `GET ${contacts}/{flora}`,
    query: { properties: 'lifecyclestage' },
    sees: { 'properties lifecyclestage': 'customer' },
  },
  {
    does: 'sees the revenue of the company',
    send: `GET ${api}/objects/companies/{company}`,
    query: { properties: 'total_revenue,num_associated_contacts' },
    sees: {
      'properties total_revenue': matches(/^1250\.50?$/),
      'properties num_associated_contacts': '1',
    },
  },
  {
    does: 'is refused to set the contact back',
    send: `PATCH ${contacts}/{flora}`,
    json: { properties: { lifecyclestage: 'lead' } },
    status: 400,
    sees: { 'errors * in': has('lifecyclestage') },
  },
  {
    does: 'creates a task for another contact',
    send: `POST ${api}/objects/tasks`,
    json: {
      properties: { subject: 'Call Folke', due: '2026-06-01T10:00:00+02:00' },
      associations: [{ to: { id: '{folke}', objectType: 'contacts' } }],
    },
    status: 201,
    sees: { 'properties status': 'NOT_STARTED' },
    keeps: { task: 'id' },
  },
];

const ends: Step[] = [
  {
    does: 'merges that contact into the first',
    send: `POST ${contacts}/merge`,
    json: { primaryObjectId: '{flora}', objectIdToMerge: '{folke}' },
    sees: {
      id: '{flora}',
      'properties email': 'flora@flow-boats.example',
      'properties merged_record_ids': '{folke}',
    },
  },
  {
    does: 'finds the first under the id of the other, with its task and its score',
    send: `GET ${contacts}/{folke}`,
    query: { properties: 'score,next_activity_date', associations: 'tasks' },
    sees: {
      id: '{flora}',
      'properties score': '110',
      'properties next_activity_date': matches(/^2026-06-01T/),
      'associations tasks results * id': ['{task}'],
    },
  },
  {
    does: 'completes the task',
    send: `PATCH ${api}/objects/tasks/{task}`,
    json: { properties: { status: 'COMPLETED' } },
    sees: { 'properties status': 'COMPLETED', id: '{task}' },
  },
  {
    does: 'archives the contact',
    send: `DELETE ${contacts}/{flora}`,
    status: 204,
  },
  {
    does: 'does not find it in a batch of reads',
    send: `POST ${contacts}/batch/read`,
    json: { inputs: [{ id: '{flora}' }] },
    status: 207,
    sees: { results: isEmpty, 'errors 0 category': 'OBJECT_NOT_FOUND' },
  },
  {
    does: 'sees that the deal has no contact any more',
    send: `GET ${deals}/{deal}/associations/contacts`,
    sees: { 'results * id': lacks('{flora}') },
  },
  {
    does: 'is another portal, which does not see the deal',
    send: `GET ${deals}/{deal}`,
    as: 'second',
    status: 404,
    sees: { category: 'OBJECT_NOT_FOUND', message: not('') },
  },
];

/** A CRM: properties, searches, batches, deals, associations, merges. */
export const crm: Flow = { name: 'crm', steps: [...start, ...people, ...sales, ...ends] };
