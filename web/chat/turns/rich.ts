import { readMarkdown, wordsOf } from '../../common/markdown.js';

/** The parts of the page that need the Markdown parser, which is large and therefore loaded after the page. */
export { RichText } from '../../common/rich-text.js';

/** Returns the text of an answer without its formatting. */
export const spoken = (text: string): string => wordsOf(readMarkdown(text));
