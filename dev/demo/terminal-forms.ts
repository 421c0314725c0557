/** A customer on the pages of the payment provider simulator: fills in their forms as a browser without script does. */
import { StoryError } from './story.ts';

const FORM = /<form method="post" action="([^"]+)">(.*?)<\/form>/s;

/** Submits the form of the page with its button. Answers where the customer is sent. */
export async function submitForm(
  pageUri: string,
  button: string,
  fields: Readonly<Record<string, string>> = {},
): Promise<string> {
  const page = await (await fetch(pageUri)).text();
  const [, action = '', form = ''] = FORM.exec(page) ?? [];
  for (const name of [button, ...Object.keys(fields)]) {
    if (!form.includes(`name="${name}"`))
      throw new StoryError(`${pageUri} has no ${name}`, 'See the page in a browser.');
  }
  const body = new URLSearchParams({ ...fields, [button]: '1' });
  const answer = await fetch(new URL(action, pageUri), { method: 'POST', body, redirect: 'manual' });
  const back = answer.headers.get('location');
  if (back === null)
    throw new StoryError(`${pageUri} answered ${answer.status} to ${button}`, 'See its log under .local.');
  return back;
}
