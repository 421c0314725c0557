/** A customer on the payment page and on the simulator's pages: fills in their forms as a browser without script does. */
import { StoryError } from './story.ts';

const HIDDEN = /<input type="hidden" name="([^"]+)" value="([^"]*)">/g;
const FORM = /<form method="post" action="([^"]+)">(.*?)<\/form>/s;

/** Submits the first form of the page, with its button where that has a name. Answers where the customer is sent. */
export async function submitForm(
  pageUri: string,
  button?: string,
  fields: Readonly<Record<string, string>> = {},
): Promise<string> {
  const page = await (await fetch(pageUri)).text();
  const [, action = '', form = ''] = FORM.exec(page) ?? [];
  const pressed = button === undefined ? {} : { [button]: '1' };
  for (const name of Object.keys({ ...fields, ...pressed })) {
    if (!form.includes(`name="${name}"`))
      throw new StoryError(`${pageUri} has no ${name}`, 'See the page in a browser.');
  }
  const hidden = Object.fromEntries([...form.matchAll(HIDDEN)].map(([, name = '', value = '']) => [name, value]));
  const body = new URLSearchParams({ ...hidden, ...fields, ...pressed });
  const answer = await fetch(new URL(action, pageUri), { method: 'POST', body, redirect: 'manual' });
  const back = answer.headers.get('location');
  if (back === null)
    throw new StoryError(
      `${pageUri} answered ${answer.status} to ${button ?? 'its form'}`,
      'See its log under .local.',
    );
  return back;
}
