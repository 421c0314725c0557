/** The manifest of the tickets area: tickets of sold order lines, their barcodes, PDFs, mails and validations. */
import { defineArea } from '../../platform/area.ts';
import { mailShape } from '../../platform/mail/mail-config.ts';
import { subjectKeysShape } from '../../platform/personal/subject-keys-config.ts';
import { SALES_DOCUMENTS_QUEUE } from '../../workflows/shared/documents-queue.ts';
import { ORDER_ID, ORGANISATION_ID } from '../../workflows/shared/search-attributes.ts';
import { TICKET_EVENT_TYPES } from '../../workflows/tickets/rules/ticket-events.ts';
import { DOCUMENT_ACTIVITIES_AT_ONCE } from '../shared/documents-capacity.ts';
import { TICKETS } from '../shared/tickets.ts';
import { TICKET_INSPECTION_FILES } from './inspection/inspection-file-document.ts';
import { TICKET_MAILS } from './mail-document.ts';
import { MailingStore } from './mailing-store.ts';
import { signingShape } from './signing/signing-config.ts';
import { TICKET_KEYS } from './signing/ticket-key-document.ts';
import { TicketAccessor } from './ticket-access.ts';
import { TICKET_GROUPS } from './ticket-group-document.ts';
import { TicketStore } from './ticket-store.ts';
import { TICKET_VALIDATIONS } from './ticket-validation-document.ts';

export const ticketsArea = defineArea({
  name: 'tickets',
  servedBy: 'api',
  collections: [
    {
      definition: TICKET_GROUPS,
      outbox: true,
      // Names in barcodes.
      personal: true,
      uses: {
        api: ['find', 'update'],
        'sales-documents-worker': ['find', 'insert', 'update'],
        'sales-customers-worker': ['find', 'update'],
        // Refunds disable tickets.
        'sales-orders-worker': ['find', 'update'],
      },
    },
    {
      definition: TICKET_MAILS,
      // Addresses that a call has given.
      personal: true,
      uses: {
        api: ['find', 'insert'],
        // Of what is confirmed.
        'events-worker': ['find', 'insert'],
        'sales-documents-worker': ['find', 'insert', 'update'],
        'sales-customers-worker': ['find', 'update'],
        // Of tickets that a failed refund gives back, and of lines that refunds have held.
        'sales-orders-worker': ['find', 'insert', 'update'],
      },
    },
    {
      definition: TICKET_VALIDATIONS,
      // The worker tells tickets and orders of what a crash has left untold.
      uses: { api: ['find', 'insert', 'update'], 'sales-documents-worker': ['find', 'update'] },
    },
    {
      definition: TICKET_KEYS,
      uses: { api: ['find'], 'sales-documents-worker': ['find', 'insert', 'update'] },
    },
    {
      definition: TICKET_INSPECTION_FILES,
      // Made again within a minute.
      leftOutOfBackups: 'ALL',
      uses: { api: ['find'], 'sales-documents-worker': ['find', 'insert', 'update'] },
    },
  ],
  objects: [
    {
      prefix: 'tickets/',
      uses: { api: ['get'], 'sales-documents-worker': ['get', 'put'], 'sales-customers-worker': ['list', 'delete'] },
    },
  ],
  topics: [{ name: 'ticket-distribution-events', key: 'orderId', events: TICKET_EVENT_TYPES }],
  subscriptions: [
    {
      name: 'ticket-orders',
      topic: 'order-events',
      load: async () => {
        const [{ createOrderFollower }, { MailingStore }] = await Promise.all([
          import('./delivery/order-follower.ts'),
          import('./mailing-store.ts'),
        ]);
        return ({ mongo: connection }) => createOrderFollower(new MailingStore({ connection }));
      },
    },
  ],
  searchAttributes: [ORDER_ID, ORGANISATION_ID],
  dashboardRows: ['Tickets'],
  roles: [
    {
      name: 'sales-documents-worker',
      title: 'Documents worker',
      port: 9111,
      weight: 'light',
      config: { ...subjectKeysShape, ...mailShape, ...signingShape },
      queue: SALES_DOCUMENTS_QUEUE,
      workflows: ['delivery', 'reissue', 'receipt'],
      // Mails are tried for 24 hours, longer than a deployment.
      versioning: 'AUTO_UPGRADE',
      cachedWorkflows: 500,
      activitiesAtOnce: DOCUMENT_ACTIVITIES_AT_ONCE,
      load: async () => (await import('./tickets-role.ts')).ticketsRole,
    },
  ],
  provide: ({ mongo: connection, eventEnvironment: environment }, interfaces) => {
    interfaces.provide(
      TICKETS,
      new TicketAccessor(new TicketStore({ connection, environment }), new MailingStore({ connection })),
    );
  },
  erasureSteps: async (base) => (await import('./ticket-erasure.ts')).ticketErasureSteps(base),
});
