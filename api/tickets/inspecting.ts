/** What inspectors report, and what they need: the keys and the tickets that are not valid any more. */
import { toSearchPage } from '../../platform/mongo/search-filter.ts';
import { ServiceError } from '../../workflows/shared/service-error.ts';
import { matchesEtag } from '../shared/etags.ts';
import type { Handlers } from '../shared/operation.ts';
import type { Operations } from './contract.gen.ts';
import type { TicketsDependencies } from './dependencies.ts';
import { presentKey, presentRevocation, presentValidation } from './present-inspection.ts';
import { distributionIdOf, workOf } from './requests.ts';

type InspectionOperations = Pick<
  Operations,
  'recordValidation' | 'listTicketKeys' | 'listTicketRevocations' | 'readInspectionFile'
>;

const PER_PAGE = 25;
/** Many devices ask for one file. It is made anew within some ten seconds of a change. */
const FRESH = 'public, max-age=10';

export function createInspectionOperations(dependencies: TicketsDependencies): Handlers<InspectionOperations> {
  const { tickets, validations, signingKeys, revocations, inspection } = dependencies;
  return {
    recordValidation: async (context) => {
      const { body, caller, path } = context;
      const { validatedAt, legId, deviceId } = body;
      const reported = {
        validatedAt: new Date(validatedAt),
        ...(legId !== undefined && { legId }),
        ...(deviceId !== undefined && { deviceId }),
        inspectorOrganisationId: caller.organisationId,
      };
      const id = distributionIdOf(path);
      const recorded = await validations.record(id, reported, await workOf(context));
      const { ticket } = await tickets.getTicket('ANY', id);
      return { status: 201, json: presentValidation(recorded, ticket) };
    },
    listTicketKeys: async () => ({ status: 200, json: (await signingKeys.list()).map(presentKey) }),
    listTicketRevocations: async ({ query }) => {
      const { page = 1, perPage = PER_PAGE, since } = query;
      const wanted = { page, perPage, ...(since !== undefined && { since: new Date(since) }) };
      const { items, totalItems } = await revocations.list(wanted);
      return { status: 200, json: toSearchPage({ page, perPage }, items.map(presentRevocation), totalItems) };
    },
    readInspectionFile: async ({ headers: { 'if-none-match': known } }) => {
      const file = await inspection.read();
      if (!file) throw notReady();
      const headers = { etag: file.etag, 'cache-control': FRESH };
      if (known !== undefined && matchesEtag(known, file.etag, 'weak')) return { status: 304, headers };
      return { status: 200, headers: { ...headers, 'content-type': file.contentType }, bytes: file.bytes };
    },
  };
}

function notReady(): ServiceError {
  return new ServiceError('UNAVAILABLE', 'The inspection file is not made yet.', { headers: { 'Retry-After': '5' } });
}
