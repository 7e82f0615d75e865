import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { FlowView } from '../../../src/api/flows.js';
import { useKind } from '../graph/kinds.js';
import { Page } from '../parts/page.js';
import { drafts, NEW_FLOW } from './drafts.js';
import './new-flow-page.css';
import { modelTemplates } from './templates/model-templates.js';
import { plainTemplates } from './templates/plain-templates.js';
import type { Template } from './templates/template.js';
import { toFlows } from './to-flows.js';
import { Workbench } from './workbench/workbench.js';

/** Starts a new flow from a template or from an unsaved draft. */
export function NewFlowPage() {
  const [start, setStart] = useState(() => (drafts.get(NEW_FLOW) ? '' : undefined));
  const navigate = useNavigate();
  const open = ({ id }: FlowView) => {
    drafts.set(NEW_FLOW, undefined);
    void navigate({ to: '/console/flows/$id', params: { id }, replace: true, ignoreBlocker: true });
  };
  if (start !== undefined)
    return <Workbench start={start} onSaved={open} onDeleted={() => setStart(undefined)} />;
  return (
    <Page title="New flow" back={toFlows}>
      <p className="templates-lead">
        Start with a small flow and change it. Nothing is saved until you create it.
      </p>
      <Gallery title="Without a model" templates={plainTemplates} onChoose={setStart} />
      <Gallery title="With a language model" templates={modelTemplates} onChoose={setStart} />
    </Page>
  );
}

const Gallery = ({
  title,
  templates,
  onChoose,
}: {
  title: string;
  templates: readonly Template[];
  onChoose: (text: string) => void;
}) => (
  <section className="template-group" aria-label={title}>
    <h2>{title}</h2>
    <ul className="templates">
      {templates.map((template) => (
        <li key={template.name}>
          <TemplateCard template={template} onChoose={() => onChoose(template.text)} />
        </li>
      ))}
    </ul>
  </section>
);

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
