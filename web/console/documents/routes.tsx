export { StorePage } from './store/store-page.js';
export { StoresPage } from './list/stores-page.js';
