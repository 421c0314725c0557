/**
 * Tests that each process of a running service can do what its manifest says and nothing else, with the logins of its own
 * environment. Caller: a test with the whole service and accounts, after its story.
 */
import assert from 'node:assert/strict';
import { AREAS } from '../../activities/areas.ts';
import { listRows } from '../../dev/privileges/privilege-rows.ts';
import { tryAccess } from '../../dev/privileges/tried-access.ts';
import { CUSTOMER_KEYS_DATABASE, DATABASE } from '../../dev/stack/access.ts';
import { kebabCase } from '../../dev/stack/process-names.ts';
import { readEnvironment } from '../../dev/stack/process-table.ts';
import { PROCESS_NAMES } from '../../dev/stack/processes.ts';
import { RESTORE_MARK } from '../../platform/mongo/restore-mark.ts';
import { privilegesOf } from '../../platform/privileges/process-privileges.ts';
import { readUse } from '../support/recorded-use.ts';
import type { Service } from '../support/service.ts';

/** Rights that the story may do without, with the event that needs them. Some happen by the minute, so a slow story sees them. */
const RARE: Readonly<Record<string, string>> = {
  'api catalogue find': 'a request about the catalogue',
  'api catalogue insert': 'the first catalogue',
  'api catalogue update': 'a new catalogue',
  'api catalogue_versions insert': 'a new catalogue',
  'api catalogue_versions update': 'a new catalogue',
  'api credits find': 'a request about credits',
  'api credits insert': 'a balance that is paid back',
  'api credits update': 'a balance that is paid back',
  'api customer_login_failures find': 'a log-in',
  'api customer_login_failures insert': 'a log-in',
  'api customer_login_failures update': 'a log-in',
  'api event_log watch': 'a request that waits for events',
  'api idempotency_keys find': 'a repeated request',
  'api idempotency_keys remove': 'a request that fails',
  'api ledger_entries find': 'a request about a settlement',
  'api ledger_entries insert': 'a settlement that is closed',
  'api reconciliations find': 'a request about reconciliations',
  'api refunds find': 'a request about refunds',
  'api refunds insert': 'a refund',
  'api refunds update': 'a refund',
  'api settlements find': 'a request about a settlement',
  'api settlements insert': 'a settlement that is opened',
  'api settlements update': 'a settlement that is closed',
  'api master_keys find': 'a start',
  'api offers find': 'a reservation, or a request about an offer',
  'api offers insert': 'a search for offers',
  'api order_versions find': 'an order that is sold',
  'api order_versions insert': 'an order that is changed after it was sold',
  'api payments find': 'a payment',
  'api payments insert': 'a payment',
  'api payments update': 'a payment',
  'api penalty_fare_invoices find': 'a penalty fare',
  'api penalty_fare_invoices insert': 'a penalty fare',
  'api payment_pages find': 'a request about a payment page',
  'api payment_pages insert': 'a new payment page',
  'api payment_pages update': 'a new payment page',
  'api planner_authorities find': 'a sale that asks for a journey or a place',
  'api planner_day_sets find': 'a sale that asks for a journey or a place',
  'api planner_fare_zones find': 'a sale that asks for a journey or a place',
  'api planner_journeys find': 'a sale that asks for a journey or a place',
  'api planner_lines find': 'a sale that asks for a journey or a place',
  'api planner_patterns find': 'a sale that asks for a journey or a place',
  'api planner_stop_places find': 'a sale that asks for a journey or a place',
  'api provider_reports find': 'a report of a payment provider',
  'api provider_reports insert': 'a report of a payment provider',
  'api provider_reports update': 'a report of a payment provider',
  'api seating_arrangements remove': 'a seat that is held or given up',
  'api seating_carriages insert': 'a seat that is held or given up',
  'api subject_keys remove': 'a profile that is refused after its key was made',
  'api timetable_codespaces remove': 'a withdrawal',
  'api timetable_imports remove': 'an upload that fails',
  'api receipts find': 'a request about receipts',
  'api receipts insert': 'a receipt that is sent on request',
  'api receipts update': 'a receipt that is sent on request',
  'api ticket_inspection_files find': 'a device that downloads the file',
  'api ticket_mails find': 'a repeated request to send tickets',
  'api webhooks find': 'a request about webhooks',
  'api webhooks insert': 'a new webhook',
  'api webhooks remove': 'a webhook that is deleted',
  'auth audit_entries find': 'a client changed over HTTP, and a signing key made',
  'auth audit_entries insert': 'a client changed over HTTP, and a signing key made',
  'auth client_assertions insert': 'a token for a client with keys',
  'auth clients insert': 'a client made over HTTP',
  'auth clients update': 'a client changed over HTTP',
  'auth disabled_clients insert': 'the first start',
  'auth signing_keys insert': 'the first start',
  'auth signing_keys update': 'a start, and a key that starts to sign',
  'books-worker event_log find': 'the reconciliation of a day',
  'books-worker event_topics find': 'the reconciliation of a day',
  'books-worker ledger_entries find': 'the reconciliation of a day',
  'books-worker ledger_entries insert': 'an entry that is missing, and a settlement that a crash has left half closed',
  'books-worker order_versions find': 'an entry of a sale that is missing',
  'books-worker orders find': 'the reconciliation of a day',
  'books-worker payments find': 'the reconciliation of a day',
  'books-worker reconciliations insert': 'the reconciliation of a day',
  'books-worker settlements update': 'a settlement that a crash has left half closed',
  'events-worker customer_profiles watch': 'the moment when the relay begins to lead',
  'events-worker event_leases insert': 'the first start',
  'events-worker event_log index': 'a start',
  'events-worker event_log watch': 'the moment when it begins to deliver',
  'events-worker ledger_entries find': 'an order that is sold, and money that moves',
  'events-worker ledger_entries insert': 'an order that is sold, and money that moves',
  'events-worker reconciliations watch': 'the moment when the relay begins to lead',
  'events-worker settlements watch': 'the moment when the relay begins to lead',
  'events-worker settlements update': 'a settlement that is opened or closed',
  'events-worker reconciliations update': 'a reconciliation that has found differences',
  'events-worker kafka_positions find': 'Kafka',
  'events-worker kafka_positions insert': 'Kafka',
  'events-worker kafka_positions update': 'Kafka',
  'events-worker orders update': 'an event of an order',
  'events-worker orders watch': 'the moment when the relay begins to lead',
  'events-worker payments update': 'an event of a payment',
  'events-worker payments watch': 'the moment when the relay begins to lead',
  'events-worker refunds update': 'a refund',
  'events-worker refunds watch': 'the moment when the relay begins to lead',
  'events-worker payment_pages find': 'an event of an order',
  'events-worker payment_pages update': 'an order with a payment page that is changed',
  'events-worker subscription_positions find': 'an event of an order',
  'events-worker subscription_positions insert': 'the first event of an order',
  'events-worker subscription_positions update': 'an event of an order',
  'events-worker ticket_groups watch': 'the moment when the relay begins to lead',
  'events-worker ticket_mails find': 'a confirmation that it is told of again',
  'events-worker timetable_imports watch': 'the moment when the relay begins to lead',
  'events-worker webhooks update': 'a delivery',
  'events-worker webhooks watch': 'the moment when it begins to deliver',
  'journey-planner planner_rate_limits find': 'planners that count together',
  'journey-planner planner_rate_limits insert': 'planners that count together',
  'journey-planner planner_rate_limits update': 'planners that count together',
  'operations-worker audit_entries find': 'a rotation',
  'operations-worker audit_entries insert': 'a rotation',
  'operations-worker signing_keys insert': 'a rotation',
  'operations-worker signing_keys remove': 'a rotation',
  'operations-worker signing_keys update': 'a rotation',
  'payment-page catalogue find': 'a customer on a payment page',
  'payment-page customer_profiles find': 'a customer on a payment page',
  'payment-page orders find': 'a customer on a payment page',
  'payment-page payment_pages find': 'a customer on a payment page',
  'payment-page payment_pages update': 'a customer on a payment page',
  'payment-page payments find': 'a customer on a payment page',
  'payment-pages-worker catalogue find': 'a customer on a payment page',
  'payment-pages-worker payments find': 'a customer on a payment page',
  'payment-pages-worker payments insert': 'a customer on a payment page',
  'payment-pages-worker payments update': 'a customer on a payment page',
  'payment-pages-worker orders find': 'a new payment page',
  'payment-pages-worker orders update': 'a new payment page',
  'payment-pages-worker payment_pages find': 'a page that waits for its workflow, each second',
  'payment-pages-worker payment_pages update': 'a payment page that is changed',
  'planner-build-worker planner_authorities remove': 'a snapshot that was replaced long ago',
  'planner-build-worker planner_day_sets remove': 'a snapshot that was replaced long ago',
  'planner-build-worker planner_fare_zones remove': 'a snapshot that was replaced long ago',
  'planner-build-worker planner_journeys remove': 'a snapshot that was replaced long ago',
  'planner-build-worker planner_lines remove': 'a snapshot that was replaced long ago',
  'planner-build-worker planner_patterns remove': 'a snapshot that was replaced long ago',
  'planner-build-worker planner_stop_places remove': 'a snapshot that was replaced long ago',
  'sales-customers-worker audit_entries find': 'a master key that is taken into use or withdrawn',
  'sales-customers-worker audit_entries insert': 'a master key that is taken into use or withdrawn',
  'sales-customers-worker master_keys find': 'a start, and a minute that has passed',
  'sales-customers-worker master_keys insert': 'a new master key',
  'sales-customers-worker master_keys update': 'a new master key',
  'sales-customers-worker order_versions find': 'the erasure of a customer with orders',
  'sales-customers-worker order_versions update': 'the erasure of a customer with orders',
  'sales-customers-worker orders update': 'the erasure of a customer with orders',
  'sales-customers-worker payment_callbacks find': 'the erasure of a customer with payments',
  'sales-customers-worker payment_callbacks update': 'the erasure of a customer with payments',
  'sales-customers-worker payments find': 'the erasure of a customer with payments',
  'sales-customers-worker payments update': 'the erasure of a customer with payments',
  'sales-customers-worker penalty_fare_invoices find': 'the erasure of a customer with invoices',
  'sales-customers-worker penalty_fare_invoices update': 'the erasure of a customer with invoices',
  'sales-customers-worker receipts find': 'the erasure of a customer with receipts',
  'sales-customers-worker receipts update': 'the erasure of a customer with receipts',
  'sales-customers-worker subject_keys update': 'a new master key',
  'sales-customers-worker ticket_groups update': 'the erasure of a customer with tickets',
  'sales-customers-worker ticket_mails find': 'the erasure of a customer with tickets',
  'sales-customers-worker ticket_mails update': 'the erasure of a customer with tickets',
  'sales-documents-worker order_versions find': 'an order that is changed after it was sold',
  'sales-documents-worker orders update': 'a validation that a crash has left untold',
  'sales-documents-worker ticket_inspection_files insert': 'the first start',
  'sales-documents-worker ticket_inspection_files update': 'a minute that has passed',
  'sales-documents-worker ticket_keys insert': 'the first start',
  'sales-documents-worker ticket_keys update': 'a start',
  'sales-documents-worker ticket_mails insert': 'a ticket that is given to another customer',
  'sales-documents-worker ticket_validations update': 'a validation that a crash has left untold',
  'sales-orders-worker order_versions insert': 'a due draft of a sold order that is confirmed, because it is paid',
  'sales-orders-worker orders update': 'a draft that is due',
  'sales-orders-worker credits find': 'a draft with money that is due',
  'sales-orders-worker credits insert': 'a draft with money that is due',
  'sales-orders-worker credits update': 'a draft with money that is due',
  'sales-orders-worker payments find': 'a draft with money that is due',
  'sales-orders-worker payments insert': 'a draft of an imported order with money that is due',
  'sales-orders-worker payments update': 'a draft with money that is due',
  'sales-orders-worker ticket_mails update': 'a refund that has held tickets',
  'sales-orders-worker planner_day_sets find': 'a sold journey that a new timetable lacks',
  'sales-orders-worker refunds find': 'a refund',
  'sales-orders-worker refunds insert': 'a draft with money that is due',
  'sales-orders-worker refunds update': 'a refund',
  'sales-orders-worker ticket_groups find': 'a refund',
  'sales-orders-worker ticket_groups update': 'a refund',
  'sales-orders-worker ticket_mails find': 'a refund that failed after a mail was dropped',
  'sales-orders-worker ticket_mails insert': 'a refund that failed after a mail was dropped',
  'sales-orders-worker seating_arrangements remove': 'a hold that was given up',
  'sales-orders-worker seating_arrangements update': 'a draft with seats that is due',
  'sales-orders-worker seating_carriages update': 'a draft with seats that is due',
  'sales-payments-worker credits find': 'money that is paid back',
  'sales-payments-worker credits insert': 'money that no order can use',
  'sales-payments-worker credits update': 'money that is paid back',
  'sales-payments-worker payment_callbacks find': 'a client that wants to be told of a payment',
  'sales-payments-worker payment_callbacks insert': 'a client that wants to be told of a payment',
  'sales-payments-worker payment_callbacks update': 'a client that wants to be told of a payment',
  'sales-payments-worker order_versions insert': 'a payment of what was added to a sold order',
  'sales-payments-worker payments update': 'a payment',
  'sales-payments-worker penalty_fare_invoices find': 'a draft for a penalty fare, 73 hours after it was made',
  'sales-payments-worker refunds insert': 'money that no order can use',
  'sales-payments-worker refunds update': 'money that no order can use',
  'sales-payments-worker seating_arrangements find':
    'a payment that ends seats of a draft, or of the version sold before',
  'sales-payments-worker seating_arrangements remove':
    'a payment that ends seats of a draft, or of the version sold before',
  'sales-payments-worker seating_arrangements update': 'a payment of an order with seats',
  'sales-payments-worker seating_carriages update':
    'a payment that ends seats of a draft, or of the version sold before',
  'sales-payments-worker subject_keys find': 'a payment by an app on a phone, which has a number',
  'timetable-worker timetable_codespaces remove': 'a withdrawal that the API did not finish',
  'timetable-worker timetable_imports remove': 'an upload that was given up',
};

function grantedRights(): readonly string[] {
  return PROCESS_NAMES.map(kebabCase).flatMap((name) => {
    const { data, customerKeys } = privilegesOf([name], AREAS);
    return [...data, ...customerKeys]
      .filter(([collection]) => collection !== RESTORE_MARK)
      .flatMap(([collection, rights]) => [...rights].map((right) => `${name} ${collection} ${right}`));
  });
}

export function describePrivileges(serviceOf: () => Service): void {
  describe('its privileges', () => {
    it('allow everything that the processes did', async () => {
      const { used, refused } = await readUse(serviceOf());
      assert.deepEqual(refused, [], 'give the process these rights in `uses` of activities/<area>/area.ts');
      const granted = new Set(grantedRights());
      const unused = [...granted].filter((each) => !used.includes(each) && !(each in RARE));
      const UNUSED =
        'take these rights from activities/<area>/area.ts, or add the reason to RARE in tried-privileges.ts';
      assert.deepEqual(unused, [], UNUSED);
      const outdated = Object.keys(RARE).filter((each) => !granted.has(each));
      assert.deepEqual(outdated, [], 'no process has these rights: remove them from RARE in tried-privileges.ts');
    });

    for (const name of PROCESS_NAMES) {
      it(`let ${kebabCase(name)} do what its manifest says and nothing else`, async () => {
        const environment = readEnvironment(serviceOf().pid(name));
        const databases = { data: DATABASE, customerKeys: CUSTOMER_KEYS_DATABASE };
        const tried = await tryAccess(environment, databases);
        assert.deepEqual(listRows(tried), listRows(privilegesOf([kebabCase(name)], AREAS)));
        assert.deepEqual(tried.extraordinary, []);
      });
    }
  });
}
