/** A traveller who does not register: a temporary profile with an e-mail address of its own. Callers: the partner's chapters. */
import { randomUUID } from 'node:crypto';
import { DAY_MS } from '../../workflows/shared/spans.ts';
import { type Caller, write } from './partner-client.ts';

const CREATED_BY = { createdBy: 'demo', createdByChannel: 'demo' };

export interface Guest {
  readonly customerNumber: string;
  readonly expirationDate?: string;
  readonly email: string;
}

export async function createGuest(caller: Caller, organisationId: number): Promise<Guest> {
  const person = { firstName: 'Kari', surname: 'Nordmann', email: `kari-${randomUUID()}@example.org` };
  const expirationDate = new Date(Date.now() + 7 * DAY_MS).toISOString();
  const body = { ...person, ...CREATED_BY, organisationId, expirationDate };
  const profile = await write<Omit<Guest, 'email'>>(caller, 'POST', '/customers/v2/profiles/temporary', body, 201);
  return { ...profile, email: person.email };
}
