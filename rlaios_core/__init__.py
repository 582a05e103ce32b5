"""rlaios: reinforcement learning for the policy inside an agent harness."""
