/**
 * Addresses that mails are sent to: one mailbox and nothing else. Lists, names, quoted parts, routes and line breaks are
 * none, so a stored address can neither add a recipient nor a header.
 */
const LONGEST = 254;
const LOCAL = /^[^\s\p{C}<>()[\]\\,;:@"]{1,64}$/u;
const DOMAIN =
  /^(?=.{1,253}$)[\p{L}\p{N}](?:[\p{L}\p{N}\p{M}-]*[\p{L}\p{N}\p{M}])?(?:\.[\p{L}\p{N}](?:[\p{L}\p{N}\p{M}-]*[\p{L}\p{N}\p{M}])?)*$/u;

export function isMailAddress(text: string): boolean {
  const [local = '', domain = '', ...further] = text.split('@');
  return further.length === 0 && text.length <= LONGEST && LOCAL.test(local) && DOMAIN.test(domain);
}
