/** Answers of `/api/v1/flows`. Times are ISO 8601 in UTC. */

export interface RateLimit {
  limit: number;
  windowSeconds: number;
  message?: string;
}

export interface AccessRules {
  apiKeyId: string | null;
  allowedDomains: string[];
  public: boolean;
  rateLimit: RateLimit | null;
}

export interface FlowNode {
  id: string;
  kind: string;
  label?: string;
  config?: Record<string, unknown>;
  parentNode?: string;
  position?: { x: number; y: number };
}

export interface FlowEdge {
  from: string;
  to: string;
  on?: string;
}

/** `GET flows`. */
export interface FlowSummary {
  id: string;
  name: string;
  description?: string;
  price: number;
  account: string;
  access: AccessRules;
  exposeTrace?: boolean;
  openai?: boolean;
  vars?: Record<string, { value: unknown; locked?: boolean }>;
  overrides?: string[];
  chat?: Record<string, unknown>;
  revision: string;
  isStreaming: boolean;
  createdAt: string;
  updatedAt: string;
}

/** `GET flows/:id`; `PUT` ignores what only the store knows. */
export interface Flow extends FlowSummary {
  nodes: FlowNode[];
  edges: FlowEdge[];
}
