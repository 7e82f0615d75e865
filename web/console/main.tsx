import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { createRoot } from 'react-dom/client';
import { receiveDraggedFiles } from '../common/dragged-files.js';
import { AdminKeyDialog } from './admin-key-dialog.js';
import { queryClient } from './api/query-client.js';
import './console.css';
import { Toasts } from './parts/overlay/toast.js';
import { router } from './router.js';
import { applyTheme } from './theme.js';

applyTheme();
receiveDraggedFiles();
createRoot(document.getElementById('console')!).render(
  <QueryClientProvider client={queryClient}>
    <RouterProvider router={router} />
    <AdminKeyDialog />
    <Toasts />
  </QueryClientProvider>,
);
