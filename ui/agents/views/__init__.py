"""Pages about agents, one file each; Streamlit runs each as a script."""
