/** Turns libxml2's message on text that is no XML, or odd XML, into a readable sentence. Callers: the schema check. */

/** By libxml2's error code (`xmlParserErrors`); the function receives its message. */
const SENTENCES: Readonly<Record<number, (message: string) => string>> = {
  4: () => 'the file has no element at all',
  5: () => 'there is something after the end of the outermost element',
  9: () => 'a character is not allowed in XML',
  20: () => 'an attribute or entity value is broken',
  22: () => 'an entity reference has no name',
  23: () => "an '&' stands alone; write &amp; for it",
  26: (message) => `the entity ${/'(.*)'/.exec(message)?.[1] ?? ''} is not defined; write the character itself`,
  38: () => "an attribute value contains '<'; write &lt; for it",
  39: () => 'an attribute value must be in quotes',
  40: () => 'an attribute value does not end',
  41: () => 'an attribute has no value',
  42: (message) => `the attribute ${/^Attribute (\S+)/.exec(message)?.[1] ?? ''} is given twice`,
  45: () => 'a comment does not end',
  62: () => "the text contains ']]>'; write ]]&gt; for it",
  63: () => 'a CDATA section does not end',
  64: () => 'the XML declaration must be the very first thing of the file',
  65: () => 'a space is missing',
  68: () => "a name is missing after '<' or '&'; write &lt; or &amp; for the character itself",
  73: () => "a tag does not end with '>'",
  76: (message) => {
    const parts = /mismatch: (\S+) line (\d+) and (\S+)/.exec(message);
    return parts
      ? `the tag <${parts[1]}> of line ${parts[2]} is closed by </${parts[3]}>`
      : 'a tag is closed by another name';
  },
  77: (message) => {
    const parts = /tag (\S+) line (\d+)/.exec(message);
    return parts ? `the tag <${parts[1]}> of line ${parts[2]} is never closed` : 'the file ends within an element';
  },
  81: () => 'the bytes are not valid in the encoding of the file',
  86: () => 'the file ends within an element',
  114: (message) =>
    /depth/i.test(message)
      ? 'elements are nested more than 256 deep'
      : 'a text, tag or comment is longer than 10 million characters',
  201: (message) => `the prefix ${/prefix (\S+)/.exec(message)?.[1] ?? ''} is not declared (xmlns is missing)`,
};

export function describeSyntaxError(code: number, message: string): string {
  const sentence = SENTENCES[code] ?? (code >= 200 && code < 210 ? () => 'a namespace is declared wrongly' : undefined);
  return `The file is not well-formed XML: ${sentence ? sentence(message.trim()) : 'it cannot be read beyond this place'}.`;
}

/** By error code, too: errors at the parser's warning level. */
const REMARKS: Readonly<Record<number, (message: string) => string>> = {
  64: () => 'A processing instruction has a name that begins with xml, which is reserved; leave it out.',
  97: (message) =>
    `The file says it is XML ${/'(.*)'/.exec(message)?.[1] ?? ''}; expected 1.0, by whose rules it was read.`,
  102: (message) => `xml:space is "${/value "(.*)" for/.exec(message)?.[1] ?? ''}"; expected default or preserve.`,
};

export function describeRemark(code: number, message: string): string {
  return REMARKS[code]?.(message.trim()) ?? 'The XML parser finds this place odd; the file was read all the same.';
}
