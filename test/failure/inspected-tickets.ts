/** Inspects refunded tickets as a conductor does: by the file for devices without a network, and by asking. Used by refund-run.ts. */
import { decodeJwt } from 'jose';
import type { Connection } from 'mongoose';
import { TICKET_GROUPS } from '../../activities/tickets/ticket-group-document.ts';
import { isLive } from '../../workflows/tickets/rules/ticket-states.ts';
import { PAGE_CHANNEL } from '../support/paged-orders.ts';
import { until } from '../support/until.ts';
import type { PatientClient } from './patient-client.ts';

/** The file is made anew within seconds of a revocation, and read by devices for ten seconds more. */
const FILE_WITHIN_MS = 60_000;
const ASKED = 40;

/** Answers faults: tickets that are not valid any more, and are taken for valid. */
export async function inspect(connection: Connection, client: PatientClient, apiUrl: string): Promise<string[]> {
  const groups = await TICKET_GROUPS.open(connection).find().toArray();
  const revoked = groups
    .flatMap(({ ticketDistributions }) => ticketDistributions)
    .filter((ticket) => !isLive(ticket))
    .map(({ id }) => Number(id));
  let missing: readonly number[] = revoked;
  const isListed = async () => {
    const answer = await fetch(`${apiUrl}/v1/ticket-inspection-file`);
    if (!answer.ok) return false;
    const { revokedTickets } = decodeJwt<{ readonly revokedTickets: readonly number[] }>(await answer.text());
    const listed = new Set(revokedTickets);
    missing = revoked.filter((id) => !listed.has(id));
    return missing.length === 0;
  };
  await until(isListed, { timeoutMs: FILE_WITHIN_MS, everyMs: 500 }).catch(() => undefined);
  const faults = missing.map((id) => `the ticket ${id} is not in the inspection file`);
  const headers = { 'service-distribution-channel': PAGE_CHANNEL };
  for (const id of revoked.slice(-ASKED)) {
    const body = { validatedAt: new Date().toISOString() };
    const path = `/v1/ticket-distributions/${id}/validations`;
    const { status, json } = await client.send(path, { method: 'POST', headers, body });
    if (status !== 201 || json.marks.length === 0) faults.push(`the check of ${id} answered ${JSON.stringify(json)}`);
  }
  return faults;
}
