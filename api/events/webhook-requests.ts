/** Refuses a webhook whose topics are unknown, or whose address may not be delivered to. */
import { type AddressFault, findAddressFault } from '../../activities/shared/public-address.ts';
import { ServiceError } from '../../workflows/shared/service-error.ts';

const FAULTS: Readonly<Record<AddressFault | 'MALFORMED', string>> = {
  MALFORMED: 'is not a URL',
  NOT_HTTPS: 'must begin with https://',
  CREDENTIALS: 'must hold no user and password: the signature proves who sends',
  FRAGMENT: 'must have no fragment',
  PRIVATE_ADDRESS: 'must be a public address',
};

/** Names of topics end with the environment, which callers tend to leave out. */
function likeIt(topic: string, known: ReadonlySet<string>): string {
  const like = [...known].filter((name) => name.startsWith(`${topic}-`));
  return `: topics are named with the environment, as ${(like.length > 0 ? like : [...known]).join(', ')}`;
}

/** Throws VALIDATION_FAILED with every fault. */
export function checkNewWebhook(
  { url, topics }: { readonly url: string; readonly topics: readonly string[] },
  { topics: known, openAddresses }: { readonly topics: ReadonlySet<string>; readonly openAddresses: boolean },
): void {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  const fault = parsed ? findAddressFault(parsed, openAddresses) : 'MALFORMED';
  const errors = [
    ...(fault ? [{ pointer: '/url', code: fault, detail: FAULTS[fault] }] : []),
    ...topics.flatMap((topic, index) =>
      known.has(topic)
        ? []
        : [
            {
              pointer: `/topics/${index}`,
              code: 'UNKNOWN_REFERENCE',
              detail: `is no topic here${likeIt(topic, known)}`,
            },
          ],
    ),
  ];
  if (errors.length === 0) return;
  throw new ServiceError('VALIDATION_FAILED', errors.map(({ pointer, detail }) => `${pointer} ${detail}`).join('; '), {
    errors,
    status: 422,
  });
}
