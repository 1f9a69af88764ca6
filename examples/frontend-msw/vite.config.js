import { vouch } from 'vouch/vite';

// Without options, the plugin reads vouch.config.yaml, or the one OpenAPI document of the folder.
export default {
  plugins: [
    vouch({
      config: false,
      contract: '../../openapi/petstore.v1.yaml',
      scenarios: '../../scenarios',
      fixtures: { pets: [{ id: 1, name: 'Biscuit', categoryId: 1, status: 'available' }] },
    }),
  ],
};
