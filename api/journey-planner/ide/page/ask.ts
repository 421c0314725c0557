/** Sends the query of the editors to the endpoint beside this page, under the page's own client name. */
import type { PageSetup } from './page-setup.ts';

const CLIENT_NAME = 'samferd-ide';

export interface AskedQuery {
  readonly query: string;
  readonly operationName?: string | null | undefined;
  readonly variables?: unknown;
}

export function createAsk({ clientNameHeader }: PageSetup, noAnswer: () => string) {
  return async (asked: AskedQuery, options?: { readonly headers?: Record<string, string> | undefined }) => {
    const response = await fetch('graphql', {
      method: 'POST',
      headers: { 'content-type': 'application/json', [clientNameHeader]: CLIENT_NAME, ...options?.headers },
      body: JSON.stringify(withKnownOperation(asked)),
    });
    try {
      return await response.json();
    } catch {
      return { errors: [{ message: `${noAnswer()} (${response.status})` }] };
    }
  };
}

/** For a moment after the query was replaced, GraphiQL still names the previous operation. */
function withKnownOperation({ operationName, ...asked }: AskedQuery): AskedQuery {
  const isThere = operationName && new RegExp(`\\b${operationName}\\b`).test(asked.query);
  return isThere ? { ...asked, operationName } : asked;
}
