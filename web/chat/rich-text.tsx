import { memo, type ReactNode, use } from 'react';
import { AnswerContext } from './answer-context.js';
import { type Block, type Inline, readMarkdown } from './markdown.js';
import { isReport, ReportCard } from './report-card.js';

/** The text of an answer. Whatever it says, it only becomes texts and links, never markup. */
export const RichText = memo(function RichText({ text }: { text: string }) {
  return readMarkdown(text).map((block, index) => <BlockView key={index} block={block} />);
});

function BlockView({ block }: { block: Block }) {
  const { origin } = use(AnswerContext);
  const view = (content: readonly Inline[]) => <Line content={content} />;
  switch (block.type) {
    case 'paragraph':
      return (
        <>
          <p>{lines(block.lines, view)}</p>
          {reportsIn(block.lines, origin)}
        </>
      );
    case 'heading':
      return <h2>{view(block.content)}</h2>;
    case 'quote':
      return <blockquote>{lines(block.lines, view)}</blockquote>;
    case 'code':
      return (
        <pre tabIndex={0}>
          <code>{block.text}</code>
        </pre>
      );
    case 'rule':
      return <hr />;
    case 'list': {
      const items = block.items.map((item, index) => (
        <li key={index}>
          {view(item)}
          {reportsIn([item], origin)}
        </li>
      ));
      return block.ordered ? <ol start={block.start}>{items}</ol> : <ul>{items}</ul>;
    }
  }
}

const lines = (all: readonly Inline[][], view: (line: Inline[]) => ReactNode): ReactNode =>
  all.map((line, index) => (
    <span key={index}>
      {index > 0 && <br />}
      {view(line)}
    </span>
  ));

/** A card below for each report that a text links to. */
function reportsIn(all: readonly Inline[][], origin: string): ReactNode {
  const links = all.flat().flatMap((piece) => (piece.type === 'link' ? [piece.href] : []));
  const reports = [...new Set(links.filter((href) => isReport(href, origin)))];
  return reports.map((href) => <ReportCard key={href} href={href} />);
}

function Line({ content }: { content: readonly Inline[] }): ReactNode {
  return content.map((piece, index) => <Piece key={index} piece={piece} />);
}

function Piece({ piece }: { piece: Inline }): ReactNode {
  const { origin } = use(AnswerContext);
  switch (piece.type) {
    case 'text':
      return piece.text;
    case 'code':
      return <code>{piece.text}</code>;
    case 'strong':
      return (
        <strong>
          <Line content={piece.content} />
        </strong>
      );
    case 'emphasis':
      return (
        <em>
          <Line content={piece.content} />
        </em>
      );
    case 'link':
      // The card below is the link of a report: its own address says nothing to a person.
      if (isReport(piece.href, origin) && isAddress(piece.content)) return null;
      return (
        <a href={piece.href} target="_blank" rel="noopener noreferrer nofollow">
          <Line content={piece.content} />
        </a>
      );
  }
}

const isAddress = ([first, ...more]: readonly Inline[]): boolean =>
  more.length === 0 && first?.type === 'text' && first.text.startsWith('http');
