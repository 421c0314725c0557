/** Reads the passwords of accounts from the jobs' environment. Callers: the jobs. */
import { z } from 'zod';

/** A list such as `api=abc auth=def`, separated by spaces. */
export const accountPasswords = z.string().transform((text, context) => {
  const pairs = text.split(' ').filter((pair) => pair !== '');
  const passwords = new Map(pairs.map((pair) => [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)]));
  if (pairs.some((pair) => !/^[a-z-]+=\S+$/.test(pair)) || passwords.size < pairs.length) {
    context.addIssue({ code: 'custom', message: 'must be name=password, separated by spaces, each name once' });
  }
  return passwords;
});

/** Pairs accounts with their passwords. Throws one sentence if either lacks the other. */
export function withPasswords<Account extends { readonly name: string }>(
  accounts: readonly Account[],
  passwords: ReadonlyMap<string, string>,
): readonly (Account & { readonly password: string })[] {
  const unknown = [...passwords.keys()].filter((name) => !accounts.some((account) => account.name === name));
  if (unknown.length > 0) throw new Error(`No process or command needs an account named ${unknown.join(', ')}`);
  return accounts.map((account) => {
    const password = passwords.get(account.name);
    if (password === undefined) throw new Error(`The account ${account.name} has no password`);
    return { ...account, password };
  });
}
