import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { FlowView } from '../../../src/api/flows.js';
import { useKind } from '../graph/kinds.js';
import { Page } from '../parts/page.js';
import { drafts } from './drafts.js';
import './new-flow-page.css';
import { type Template, templates } from './templates.js';
import { toFlows } from './to-flows.js';
import { NEW } from './workbench/use-editing.js';
import { Workbench } from './workbench/workbench.js';

/** Starts a new flow from a template or from an unsaved draft. */
export function NewFlowPage() {
  const [start, setStart] = useState(() => (drafts.get(NEW) ? '' : undefined));
  const navigate = useNavigate();
  const open = ({ id }: FlowView) => {
    drafts.set(NEW, undefined);
    void navigate({ to: '/console/flows/$id', params: { id }, replace: true, ignoreBlocker: true });
  };
  if (start !== undefined)
    return <Workbench start={start} onSaved={open} onDeleted={() => setStart(undefined)} />;
  return (
    <Page title="New flow" back={toFlows}>
      <p className="templates-lead">
        Start with a small flow and change it. Nothing is saved until you create it.
      </p>
      <ul className="templates">
        {templates.map((template) => (
          <li key={template.name}>
            <TemplateCard template={template} onChoose={() => setStart(template.text)} />
          </li>
        ))}
      </ul>
    </Page>
  );
}

const TemplateCard = ({
  template: { name, about, kinds },
  onChoose,
}: {
  template: Template;
  onChoose: () => void;
}) => (
  <button type="button" className="template" onClick={onChoose}>
    <span className="template-kinds" aria-hidden="true">
      {kinds.map((kind, index) => (
        <TemplateKind key={index} kind={kind} />
      ))}
    </span>
    <strong>{name}</strong>
    <span>{about}</span>
  </button>
);

function TemplateKind({ kind }: { kind: string }) {
  const { name, icon } = useKind(kind);
  return (
    <span className="template-kind" title={name}>
      {icon}
    </span>
  );
}
