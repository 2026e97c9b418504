"""Pages about mail, one file each; Streamlit runs each as a script."""
