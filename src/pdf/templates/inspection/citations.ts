import type { ReportFact, ReportPhotograph } from '../../../inspection/report/inspection-report.js';
import { printedWord } from '../fact-words.js';
import type { GridPhotograph } from '../photograph-rows.js';

/** Items named under one photograph. */
const MOST_ITEMS = 4;

/** The rows of tables, with the photographs that they cite. */
export class Citations {
  private readonly rows = new Map<ReportFact, string>();
  private readonly subjects = new Map<number, { readonly row: string; readonly items: Set<string> }>();

  /** `facts` are those of all tables, in print order. */
  constructor(facts: readonly ReportFact[]) {
    for (const fact of facts) {
      if (fact.photographs.length === 0) continue;
      const row = `r${this.rows.size + 1}`;
      this.rows.set(fact, row);
      for (const number of fact.photographs) {
        const found = this.subjects.get(number);
        const { items } = found ?? { items: new Set<string>() };
        if (items.size < MOST_ITEMS) items.add(nameOf(fact));
        if (!found) this.subjects.set(number, { row, items });
      }
    }
  }

  /** Returns the id of the row of a fact that cites photographs. */
  rowOf(fact: ReportFact): string | undefined {
    return this.rows.get(fact);
  }

  /** Returns photographs with the items that they show, and the first row that cites each. */
  under(photographs: readonly ReportPhotograph[]): GridPhotograph[] {
    return photographs.map((photograph) => {
      const found = this.subjects.get(photograph.number);
      if (!found) return photograph;
      const subject = [...found.items].filter((item) => item !== '').join(', ');
      return { ...photograph, row: found.row, ...(subject === '' ? {} : { subject }) };
    });
  }
}

/** The item, or the kind of keys or of an alarm. */
const nameOf = ({ words }: ReportFact): string => printedWord(words, 'item') || printedWord(words, 'kind');
