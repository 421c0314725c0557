/** `Content-Disposition` of a download (RFC 6266): a plain name for old clients, the true one in UTF-8 (RFC 8187). */
const ATTR_CHAR = /[A-Za-z0-9!#$&+.^_`|~-]/;

export function attachment(fileName: string): string {
  const plain = fileName
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[^\x20-\x7e]|["\\%]/g, '_');
  const header = `attachment; filename="${plain}"`;
  return plain === fileName ? header : `${header}; filename*=UTF-8''${encodeExtended(fileName)}`;
}

function encodeExtended(text: string): string {
  let encoded = '';
  for (const byte of Buffer.from(text.toWellFormed())) {
    const character = String.fromCharCode(byte);
    encoded += ATTR_CHAR.test(character) ? character : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`;
  }
  return encoded;
}
