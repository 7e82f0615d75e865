import { EntityColumns } from '../../database/entity-columns.js';
import { ExecutionEntity } from './execution.entity.js';

export const executionColumns = new EntityColumns(ExecutionEntity);
