/** What payment providers report. Without a token: the provider's signature covers the bytes, which are read as they come. */
import type { IncomingMessage } from 'node:http';
import type { Providers } from '../../activities/payments/provider/providers.ts';
import type { ReportIntake } from '../../activities/payments/report-intake.ts';
import { ServiceError } from '../../workflows/shared/service-error.ts';
import type { Handlers } from '../shared/operation.ts';
import { BODY_LIMIT_BYTES, readBody } from '../shared/request-body.ts';
import type { Operations } from './contract.gen.ts';

export interface ProviderCallbackDependencies {
  readonly providers: Pick<Providers, 'find'>;
  readonly intake: Pick<ReportIntake, 'take'>;
}

const BODY_TIMEOUT_MS = 10_000;

export function createProviderCallbackOperations({
  providers,
  intake,
}: ProviderCallbackDependencies): Handlers<Pick<Operations, 'receiveProviderCallback'>> {
  return {
    receiveProviderCallback: async ({ path, request, correlationId }) => {
      // BOOK reports nothing, and no signature is right for it.
      const provider = providers.find(path.provider.toUpperCase());
      if (!provider) throw new ServiceError('NOT_FOUND', 'There is no such payment provider.');
      const body = await readBody({ request } as Parameters<typeof readBody>[0], BODY_TIMEOUT_MS, BODY_LIMIT_BYTES);
      if (!(await intake.take(provider, { body, headers: headersOf(request) }, correlationId))) {
        throw new ServiceError('VALIDATION_FAILED', 'The callback is not signed by the provider, or is too old.');
      }
      return { status: 202 };
    },
  };
}

function headersOf({ headers }: IncomingMessage): Record<string, string | undefined> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') : value]),
  );
}
